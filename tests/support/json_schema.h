// A small validator for the part of JSON Schema that docs/schema uses.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace txproof::test {

// What is wrong with `value` under the schema file, with the place in it; empty if nothing is.
//   errors: throws std::runtime_error where the schema uses a keyword that is not understood here,
//           so that nothing goes unchecked unnoticed
std::string schema_error(const nlohmann::json& value, const std::filesystem::path& schema_file);

}  // namespace txproof::test
