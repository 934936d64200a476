// What the machine can do to a run: a full disk, no permission, too little memory, a kill at any
// moment. None of it gives a wrong verdict, loses an older result or leaves a temporary file.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// 20^3 states; `far` breaks in the last of them.
const std::string model =
    "object cell { int n in 0..19 = 0; }\n"
    "thread up(cell c) { loop { pause; if (c.n < 19) c.n += 1; } }\n"
    "property far { always sum(c in cell) c.n < 57; }\n"
    "property near { always sum(c in cell) c.n < 58; }\n"
    "stack s { cell a[3] {}; run up(a[i]) for i in 0..2; check far, near; }\n";

struct Fixture {
  TemporaryFolder folder;
  Fixture() { write_file(folder.path() / "m.tx", model); }

  // Under a limit of the system's: prlimit (util-linux) sets it and becomes the tool.
  RunResult limited(const std::string& limit, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"prlimit", limit, TXPROOF_BINARY});
    return test::run(
        arguments, {.folder = folder.path(), .environment = {{"TMPDIR", folder.path().string()}}});
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
};

TEST_CASE_FIXTURE(Fixture, "a full disk is told, and the older result is still there") {
  const std::vector<std::string> check = {"check", "m.tx", "--format", "json", "-o", "r.json"};
  REQUIRE(run_txproof(check, {.folder = folder.path()}).exit_code == 1);
  const std::string before = read_file(folder.path() / "r.json");
  const RunResult full = limited("--fsize=500", check);
  CHECK(full.exit_code == 2);
  CHECK(full.err.find("cannot write 'r.json'") != std::string::npos);
  CHECK(read_file(folder.path() / "r.json") == before);
  CHECK(files() == std::vector<std::string>{"m.tx", "r.json"});

  const RunResult device =
      run_txproof({"check", "m.tx", "-o", "/dev/full"}, {.folder = folder.path()});
  CHECK(device.exit_code == 2);
  CHECK(device.err.find("cannot write '/dev/full'") != std::string::npos);

  const RunResult traces = limited("--fsize=500", {"check", "m.tx", "--traces", "t"});
  CHECK(traces.exit_code == 2);
  CHECK(traces.err.find("cannot write 't/") != std::string::npos);
  CHECK(fs::is_empty(folder.path() / "t"));
}

TEST_CASE_FIXTURE(Fixture, "a place that cannot be written is told before anything is run") {
  write_file(folder.path() / "file", "");
  for (const char* place : {"none/r.json", "file/r.json", ".", "/proc/r.json"}) {
    const RunResult result = run_txproof({"check", "m.tx", "-o", place}, {.folder = folder.path()});
    CAPTURE(place);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(std::string("cannot write '") + place + "'") != std::string::npos);
  }
  CHECK(files() == std::vector<std::string>{"file", "m.tx"});
}

TEST_CASE_FIXTURE(Fixture, "a result goes through a link, and keeps the mode of what it replaces") {
  write_file(folder.path() / "real.json", "old");
  fs::permissions(folder.path() / "real.json", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.json", folder.path() / "link.json");
  REQUIRE(run_txproof({"check", "m.tx", "--format", "json", "-o", "link.json"},
                      {.folder = folder.path()})
              .exit_code == 1);
  CHECK(fs::is_symlink(folder.path() / "link.json"));
  CHECK(json::parse(read_file(folder.path() / "real.json"))["stack"] == "s");
  CHECK(fs::status(folder.path() / "real.json").permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));
}

// A sanitizer maps terabytes, which no such limit lets it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE_FIXTURE(Fixture, "too little memory ends without a verdict, or with the right one") {
  int whole = 0;
  int short_of = 0;
  for (int megabytes = 8; megabytes <= 1024; megabytes += megabytes < 200 ? 12 : 200) {
    const RunResult result =
        limited("--as=" + std::to_string(megabytes * 1024 * 1024),
                {"check", "m.tx", "--format", "json", "--jobs", "2", "--engine", "explicit"});
    CAPTURE(megabytes);
    CAPTURE(result.err);
    if (result.exit_code == 1) {
      ++whole;
      for (const json& entry : json::parse(result.out)["results"]) {
        const bool breaks = entry["property"] == "far";
        CHECK(entry["verdict"] == (breaks ? "violated" : "holds"));
      }
    } else {
      ++short_of;
      // 127: not even the libraries fit.
      CHECK((result.exit_code == 3 || result.exit_code == 127));
      CHECK(result.out.find("\"holds\"") == std::string::npos);
      CHECK_FALSE(result.err.empty());
    }
  }
  CHECK(whole > 0);
  CHECK(short_of > 0);
  CHECK(files() == std::vector<std::string>{"m.tx"});
}
#endif

TEST_CASE_FIXTURE(Fixture, "killed at any moment: the result is whole or absent, nothing is left") {
  for (int i = 0; i < 40; ++i) {
    const std::string delay = "0.0" + std::to_string(10 + i);
    test::run({"timeout", "-s", i % 2 == 0 ? "KILL" : "TERM", delay, TXPROOF_BINARY, "check",
               "m.tx", "--format", "json", "-o", "r.json"},
              {.folder = folder.path(), .environment = {{"TMPDIR", folder.path().string()}}});
    CAPTURE(delay);
    for (const std::string& name : files()) CHECK((name == "m.tx" || name == "r.json"));
    if (fs::exists(folder.path() / "r.json")) {
      const json report = json::parse(read_file(folder.path() / "r.json"));
      for (const json& entry : report["results"]) {
        if (entry["verdict"] == "inconclusive") continue;
        CHECK(entry["verdict"] == (entry["property"] == "far" ? "violated" : "holds"));
      }
      fs::remove(folder.path() / "r.json");
    }
  }
}

}  // namespace
}  // namespace txproof::test
