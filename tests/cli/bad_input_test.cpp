// Input of every kind that cannot be used: a message that says what to do, exit 2 (4 where nothing
// was checked), never a crash.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

const std::string counter =
    "object cell { int n in 0..3 = 0; }\n"
    "thread up(cell c) { loop { pause; if (c.n < 3) c.n += 1; } }\n"
    "property small { always forall c in cell: c.n <= 3; }\n"
    "stack one { param int P in 1..4 = 2; cell a {}; run up(a); check small; }\n";

struct Fixture {
  TemporaryFolder folder;

  std::string write(const std::string& name, const std::string& text) const {
    write_file(folder.path() / name, text);
    return (folder.path() / name).string();
  }
  RunResult run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_txproof(arguments, {.input = input, .folder = folder.path()});
  }
};

bool says(const RunResult& result, const std::string& words) {
  const bool found = result.err.find(words) != std::string::npos;
  if (!found) MESSAGE("it says: " << result.err);
  return found;
}

TEST_CASE_FIXTURE(Fixture, "the command line") {
  CHECK(run({}).exit_code == 2);
  RunResult result = run({"chekc", "a.tx"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "did you mean 'check'"));
  result = run({"trace", "minimise", "a.json"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "not built yet"));
  CHECK(says(result, "show, replay"));
  const std::string file = write("a.tx", counter);
  result = run({"check", file, "--proprety", "x"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "did you mean '--property'"));
  result = run({"check", file, "--format", "sarif"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "text, json, jsonl, junit, itf"));
  result = run({"check", file, "--format", "jsn"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "did you mean"));
  CHECK(says(run({"check", file, "--engine", "spicer"}), "did you mean 'spacer'?"));
  CHECK(says(run({"check", file, "--memory", "tso"}), "needs fine steps"));
  CHECK(says(run({"check", file, "--memory", "tsoo"}), "did you mean 'tso'"));
  CHECK(says(run({"check", file, "--store-buffer", "9"}), "at most 8"));
  CHECK(says(run({"check"}), "STACK"));
  CHECK(says(run({"check", file, "other.tx"}), "one operand too many"));
  CHECK(says(run({"diff", file}), "a PATCH, or --git A..B"));
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"--set", "P"},
                                             {"--set", "P=two"},
                                             {"--set", "P=99999999999999999999"},
                                             {"--max-depth", "-1"},
                                             {"--max-depth", "x"},
                                             {"--time-limit", "nan"},
                                             {"--time-limit", "-1"},
                                             {"--memory-limit", "lots"},
                                             {"--memory-limit", "99999999999999T"},
                                             {"--jobs", "0"},
                                             {"--jobs", "many"},
                                             {"--seed", "x"},
                                             {"--format"},
                                             {"--color", "blue"}}) {
    std::vector<std::string> arguments = {"check", file};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    result = run(arguments);
    CAPTURE(bad[0]);
    CHECK(result.exit_code == 2);
    CHECK(result.err != "");
    CHECK(result.out == "");
  }
}

TEST_CASE_FIXTURE(Fixture, "help and version are results") {
  RunResult result = run({"--version"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("txproof "));
  for (const char* command : {"check", "diff", "trace", "explain", "fmt"}) {
    result = run({command, "--help"});
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("--help") != std::string::npos);
  }
  CHECK(run({"--help"}).out.find("diff") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "files that are missing, unreadable, or no text") {
  CHECK(says(run({"check", "nothing.tx"}), "no such file"));
  CHECK(run({"check", "nothing.tx"}).exit_code == 2);
  const std::string binary = write("binary.tx", std::string("\x7f\x45\x4c\x46\0\0\x01", 7));
  RunResult result = run({"check", binary});
  CHECK(result.exit_code == 2);
  CHECK(result.err != "");
  result = run({"check", write("long.tx", std::string(10 << 20, 'x'))});
  CHECK(result.exit_code == 2);
  CHECK(result.err.size() < 10000);
  CHECK(run({"check", "/dev/zero"}).exit_code == 2);
  CHECK(run({"check", write("empty.tx", "")}).exit_code == 2);
  REQUIRE(::mkfifo((folder.path() / "pipe.tx").c_str(), 0600) == 0);
  CHECK(run({"check", "pipe.tx"}).exit_code == 2);
  result = run({"check", write("tab.tx", "stack s {\n\t\tchek;\n}\n")});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "tab.tx:2"));
  result = run({"fmt", "nothing.tx"});
  CHECK(result.exit_code == 2);
  CHECK(run({"fmt", binary}).exit_code == 2);
}

TEST_CASE_FIXTURE(Fixture, "line ends of other systems and a byte order mark are no fault") {
  std::string crlf = "\xEF\xBB\xBF";
  for (const char c : counter) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(run({"check", write("crlf.tx", crlf)}).exit_code == 0);
}

TEST_CASE_FIXTURE(Fixture, "imports: a cycle, a path out of the roots, a file that is not there") {
  write("b.tx", "import \"a.tx\";\n");
  RunResult result = run({"check", write("a.tx", "import \"b.tx\";\n" + counter)});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "circle"));
  CHECK(run({"check", write("c.tx", "import \"../../../etc/passwd\";\n" + counter)}).exit_code ==
        2);
  CHECK(run({"check", write("d.tx", "import \"/etc/passwd\";\n" + counter)}).exit_code == 2);
  CHECK(run({"check", write("e.tx", "import \"not/there.tx\";\n" + counter)}).exit_code == 2);
}

TEST_CASE_FIXTURE(Fixture, "parameters and properties that the stack does not have") {
  const std::string file = write("a.tx", counter);
  CHECK(run({"check", file, "--set", "P=3"}).exit_code == 0);
  RunResult result = run({"check", file, "--set", "P=9"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "P"));
  result = run({"check", file, "--set", "Q=1"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "no parameter 'Q'"));
  CHECK(run({"check", file, "--set", "P=1", "--set", "P=2"}).exit_code == 2);
  result = run({"check", file, "--property", "smal"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "did you mean 'small'"));
  CHECK(run({"check", file, "--property", "small"}).exit_code == 0);
  CHECK(run({"check", file, "--property", "range"}).exit_code == 0);
}

TEST_CASE_FIXTURE(Fixture, "no stack, several, and one that checks nothing") {
  RunResult result = run({"check", write("none.tx", "object cell { int n in 0..3 = 0; }\n")});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "no stack"));
  const std::string two = write("two.tx", counter + "stack two { cell a {}; check small; }\n");
  result = run({"check", two});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "--stack"));
  CHECK(says(result, "one, two"));
  CHECK(run({"check", two, "--stack", "one"}).exit_code == 0);
  result = run({"check", two, "--stack", "tow"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "did you mean 'two'"));
  result = run({"check", write("unchecked.tx",
                               "object cell { int n in 0..3 = 0; }\nstack s { cell a {}; }\n")});
  CHECK(result.exit_code == 4);
  CHECK(says(result, "checks no property"));
}

TEST_CASE_FIXTURE(Fixture, "folders: all stacks in one, an empty one, one that cannot be read") {
  write("models/a.tx", counter);
  write("models/sub/b.tx", counter);
  RunResult result = run({"check", "models", "--format", "json"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("\"stacks\"") != std::string::npos);
  write("models/broken.tx", "stack {");
  result = run({"check", "models", "--format", "json"});
  CHECK(result.exit_code == 2);
  CHECK(result.out.find("broken.tx") != std::string::npos);
  std::filesystem::create_directory(folder.path() / "empty");
  CHECK(run({"check", "empty"}).exit_code == 4);
  if (::geteuid() != 0) {
    std::filesystem::permissions(folder.path() / "models", std::filesystem::perms::none);
    CHECK(run({"check", "models"}).exit_code == 2);
    std::filesystem::permissions(folder.path() / "models", std::filesystem::perms::owner_all);
  }
}

TEST_CASE_FIXTURE(Fixture, "standard input is '-'") {
  CHECK(run({"check", "-"}, counter).exit_code == 0);
  CHECK(run({"check", "-"}, "").exit_code == 2);
  CHECK(run({"check", "-"}, "garbage").exit_code == 2);
  CHECK(run({"fmt", "-"}, counter).exit_code == 0);
}

TEST_CASE_FIXTURE(Fixture, "results that cannot be written") {
  const std::string file = write("a.tx", counter);
  CHECK(run({"check", file, "-o", "not/there/out.txt"}).exit_code == 2);
  CHECK(run({"check", file, "-o", folder.path().string()}).exit_code == 2);
  write("plain", "");
  RunResult result = run({"check", file, "--traces", "plain/below"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "folder"));
  CHECK(run({"check", file, "--traces", "fresh/folder"}).exit_code == 0);
  CHECK(std::filesystem::is_directory(folder.path() / "fresh/folder"));
  CHECK(run({"check", file, "-o", "/dev/full"}).exit_code == 2);
}

TEST_CASE_FIXTURE(Fixture, "a closed pipe ends it quietly") {
  const std::string file = write("a.tx", counter);
  const RunResult result =
      test::run({"sh", "-c", "{ \"$0\" check \"$1\"; echo $? >status; } | true; cat status",
                 TXPROOF_BINARY, file},
                {.folder = folder.path()});
  // Whether the reader is gone before the result is written is a matter of luck: 0 or 2, no signal.
  CHECK((result.out == "0\n" || result.out == "2\n"));
  CHECK(result.err == "");
}

TEST_CASE_FIXTURE(Fixture, "a trace of what the model no longer has cannot be replayed") {
  std::string broken = counter;
  broken.replace(broken.find("c.n <= 3;"), 9, "c.n <= 2;");
  const std::string file = write("one.tx", broken);
  REQUIRE(run({"check", file, "--format", "json", "-o", "report.json"}).exit_code == 1);
  REQUIRE(run({"check", file, "--traces", "t"}).exit_code == 1);
  CHECK(run({"trace", "replay", "t/small.json"}).exit_code == 1);
  write("one.tx", counter);
  CHECK(run({"trace", "replay", "t/small.json"}).exit_code == 0);

  std::string damaged = read_file(folder.path() / "t/small.json");
  damaged.replace(damaged.find("\"always\""), 8, "\"alwais\"");
  CHECK(run({"trace", "replay", write("damaged.json", damaged)}).exit_code == 2);

  std::string renamed = broken;
  renamed.replace(renamed.find("property small"), 14, "property other");
  renamed.replace(renamed.find("check small"), 11, "check other");
  write("one.tx", renamed);
  RunResult result = run({"trace", "replay", "t/small.json"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "does not check 'small'"));

  renamed = broken;
  renamed.replace(renamed.find("thread up"), 9, "thread go");
  renamed.replace(renamed.find("run up"), 6, "run go");
  write("one.tx", renamed);
  result = run({"trace", "replay", "t/small.json"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "has no thread"));
  CHECK(run({"trace", "replay", "t/small.json", "--format", "json"}).exit_code == 2);

  write("one.tx", broken + "nonsense");
  result = run({"trace", "replay", "t/small.json", "t/small.json"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "nonsense"));
  const std::size_t first = result.err.find("error:");
  CHECK(result.err.find("error:", first + 1) == std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "an empty expression, a root that is none, options behind others") {
  const std::string file = write("one.tx", counter);
  for (const char* expression : {"", "  "}) {
    const RunResult result = run({"bound", file, expression});
    CHECK(result.exit_code == 2);
    CHECK(says(result, "EXPR is empty"));
  }
  RunResult result = run({"check", file, "--root", "nowhere"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "'nowhere'"));
  CHECK(says(run({"frontier", file, "--sweep", "P=1..3"}), "no option '--sweep'"));
  CHECK(says(run({"frontier", file}), "--over is required"));
  for (const char* command : {"check", "diff", "bound", "frontier", "trace", "explain", "fmt"}) {
    CAPTURE(command);
    CHECK(run({command, "--help"}).out.find(std::string("For example:\n  txproof ") + command) !=
          std::string::npos);
  }
}

TEST_CASE_FIXTURE(Fixture, "a patch that takes the stack itself away") {
  write("one.tx", counter);
  write("rename.patch",
        "diff --git a/one.tx b/two.tx\nsimilarity index 100%\nrename from one.tx\nrename to "
        "two.tx\n");
  const RunResult result = run({"check", "one.tx", "--patch", "rename.patch"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "renames it to"));
}

TEST_CASE_FIXTURE(Fixture, "a misspelt statement word is told once") {
  const RunResult result = run(
      {"check", write("m.tx",
                      "linear struct sk_buff { int n in 0..1; }\nobject o { int x in 0..1 = 0; }\n"
                      "fn kfree(sk_buff skb) { destory skb; }\nthread t(o q) { q.x = 1; }\n"
                      "stack k { o q {}; run t(q); }\n")});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "did you mean `destroy`?"));
  CHECK(result.err.find("second time") == std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "why nothing was tested is told as it is") {
  const std::string parts =
      "object absent { int n in 0..1 = 0; }\n" + counter.substr(0, counter.find("stack"));
  const std::string file =
      write("v.tx", parts +
                        "property empty { always forall e in absent: false; }\n"
                        "property resting { at rest forall c in cell: c.n == 9; }\n"
                        "thread bad(cell c) { c.n += 1; c.n += 1; c.n += 1; c.n += 1; }\n"
                        "stack a { cell x {}; run up(x); check empty; }\n"
                        "stack b { cell x {}; run bad(x); check resting; }\n");
  CHECK(run({"check", file, "--stack", "a"}).out.find("never anything that it ranges over") !=
        std::string::npos);
  CHECK(run({"check", file, "--stack", "b"}).out.find("runs end before") != std::string::npos);
  const RunResult itf = run({"check", file, "--stack", "a", "--format", "itf"});
  CHECK(itf.out.empty());
  CHECK(says(itf, "no trace to write"));
}

TEST_CASE_FIXTURE(Fixture, "traces that are none") {
  CHECK(run({"trace", "replay", "nothing.json"}).exit_code == 2);
  CHECK(run({"trace", "replay", write("a.json", "[1, 2")}).exit_code == 2);
  CHECK(run({"trace", "replay", write("b.json", "{\"steps\": 3}")}).exit_code == 2);
  CHECK(run({"trace", "replay", write("c.json", "{\"steps\": [{\"move\": 1}], \"model\": {}}")})
            .exit_code == 2);
  CHECK(run({"trace", "replay", write("d.json", std::string(100000, '['))}).exit_code == 2);
  RunResult result = run({"trace", "minimise", "a.json"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "not built yet"));
  CHECK(says(run({"trace", "reply", "a.json"}), "did you mean 'replay'"));
}

TEST_CASE_FIXTURE(Fixture, "codes that are none") {
  CHECK(run({"explain", "TX9999"}).exit_code == 2);
  CHECK(run({"explain", "TX0504"}).exit_code == 0);
  CHECK(run({"explain", "tx0504"}).out.find("does not apply") != std::string::npos);
  CHECK(run({"explain"}).out.find("TX0103") != std::string::npos);
}

}  // namespace
}  // namespace txproof::test
