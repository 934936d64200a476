#include <doctest/doctest.h>

#include "cli/options.h"

namespace txproof::cli {
namespace {

Parsed parse(const std::vector<std::string>& arguments, Options& options) {
  return parse_arguments(arguments, options);
}

TEST_CASE("sizes") {
  CHECK(parse_bytes("512M") == 512ULL << 20U);
  CHECK(parse_bytes("4G") == 4ULL << 30U);
  CHECK(parse_bytes("4GB") == 4ULL << 30U);
  CHECK(parse_bytes("1000") == 1000);
  CHECK(!parse_bytes(""));
  CHECK(!parse_bytes("G"));
  CHECK(!parse_bytes("4X"));
  CHECK(!parse_bytes("-4G"));
  CHECK(!parse_bytes("999999999999T"));
}

TEST_CASE("repeated options take one value each, operands keep their order") {
  Options options;
  REQUIRE(parse({"diff", "s.tx", "--base", "b1", "p1", "--base", "b2", "p2", "--set", "L=5",
                 "--set", "W=0x10"},
                options)
              .run);
  CHECK(options.command == Command::diff);
  CHECK(options.stack_file == "s.tx");
  CHECK(options.bases == std::vector<std::string>{"b1", "b2"});
  CHECK(options.operands == std::vector<std::string>{"p1", "p2"});
  REQUIRE(options.set.size() == 2);
  CHECK(options.set[1].second == 16);
}

TEST_CASE("negative values and standard input") {
  Options options;
  REQUIRE(parse({"check", "-", "--set", "X=-3", "--time-limit", "0"}, options).run);
  CHECK(options.stack_file == "-");
  CHECK(options.set[0].second == -3);
  CHECK(options.time_limit == 0.0);
}

TEST_CASE("defaults") {
  Options options;
  REQUIRE(parse({"check", "s.tx"}, options).run);
  CHECK(options.jobs >= 1);
  CHECK(options.format == Format::text);
  CHECK(!options.interleave);
  CHECK(!options.max_depth);
}

TEST_CASE("help and errors are told apart") {
  Options options;
  CHECK(!parse({"--help"}, options).failed);
  CHECK(parse({"--hepl"}, options).failed);
  CHECK(parse({"check", "s.tx", "--jobs"}, options).failed);
}

}  // namespace
}  // namespace txproof::cli
