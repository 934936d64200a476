// What this machine offers: the defaults of --jobs and --memory-limit.
#pragma once

#include <cstdint>

namespace txproof::cli {

unsigned default_jobs();

// Three quarters of the memory that is free (of the container's, where that is less); 0: unknown.
std::uint64_t default_memory_limit();

}  // namespace txproof::cli
