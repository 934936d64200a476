// Parts that several JSON reports share.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/workspace.h"

namespace txproof::cli {

// A number, or its digits as text where a reader of JSON could lose some.
nlohmann::ordered_json number(std::int64_t value);

// What the report is about: tool, version, schema, stack, file, patches, parameters, modes.
nlohmann::ordered_json model_head(const LoadedStack& loaded, const std::string& schema);

}  // namespace txproof::cli
