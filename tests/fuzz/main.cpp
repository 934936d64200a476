// One libFuzzer program for each target: TXPROOF_FUZZ_TARGET is its name.
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  txproof::fuzz::TXPROOF_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
