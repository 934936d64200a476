// diff: patches of every kind, git revisions, what each property becomes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using nlohmann::json;

const std::string library =
    "fn limit_reached(cell c) { c.full = true; }\n"
    "object cell {\n"
    "    int n in 0..9 = 0;\n"
    "    bool full = false;\n"
    "}\n"
    "fn add(cell c) {\n"
    "    if (c.n >= 3) {\n"
    "        limit_reached(c);\n"
    "        return;\n"
    "    }\n"
    "    c.n += 1;\n"
    "}\n";
const std::string stack =
    "import \"lib.tx\";\n"
    "thread up(cell c) { loop { pause; add(c); } }\n"
    "property small { maximum sum(c in cell) c.n <= 4; }\n"
    "property limited { on entry limit_reached(c) { assert c.n == 3; } }\n"
    "stack s { cell a {}; run up(a); check small, limited; }\n";

// The hunk that makes the limit `limit`.
std::string patch(const std::string& limit, const std::string& prefix_a = "a/",
                  const std::string& prefix_b = "b/", const std::string& line = "6") {
  return "--- " + prefix_a + "lib.tx\n+++ " + prefix_b + "lib.tx\n@@ -" + line + ",4 +" + line +
         ",4 @@\n fn add(cell c) {\n-    if (c.n >= 3) {\n+    if (c.n >= " + limit +
         ") {\n         limit_reached(c);\n         return;\n";
}

struct Fixture {
  TemporaryFolder folder;
  Fixture() {
    write("lib.tx", library);
    write("stack.tx", stack);
  }
  std::string write(const std::string& name, const std::string& text) const {
    write_file(folder.path() / name, text);
    return name;
  }
  RunResult run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_txproof(arguments, {.input = input, .folder = folder.path()});
  }
  RunResult diff(const std::string& text) const {
    return run({"diff", "stack.tx", write("p.patch", text), "--format", "json"});
  }
  RunResult git(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=t", "-c", "user.email=t@t"});
    return test::run(arguments, {.folder = folder.path()});
  }
};

std::string change_of(const RunResult& result, const std::string& property) {
  const json report = json::parse(result.out, nullptr, false);
  if (report.is_discarded()) return "no report: " + result.err;
  for (const json& change : report["changes"]) {
    if (change["property"] == property) return change["change"];
  }
  return "absent";
}

bool says(const RunResult& result, const std::string& words) {
  const bool found = result.err.find(words) != std::string::npos;
  if (!found) MESSAGE("it says: " << result.err);
  return found;
}

TEST_CASE_FIXTURE(Fixture, "regressed, fixed, unchanged") {
  RunResult result = diff(patch("7"));
  CHECK(result.exit_code == 1);
  CHECK(change_of(result, "small") == "regressed");
  CHECK(change_of(result, "limited") == "regressed");
  write("worse.patch", patch("7"));
  const std::string back =
      "--- a/lib.tx\n+++ b/lib.tx\n@@ -6,2 +6,2 @@\n fn add(cell c) {\n-    if (c.n >= 7) {\n+    "
      "if (c.n >= 3) {\n";
  write("back.patch", back);
  result = run({"diff", "stack.tx", "--base", "worse.patch", "back.patch", "--format", "json"});
  CHECK(result.exit_code == 0);
  CHECK(change_of(result, "small") == "fixed");
  result = diff(patch("4"));
  CHECK(result.exit_code == 1);
  CHECK(change_of(result, "small") == "unchanged");
  CHECK(json::parse(result.out)["maxima"][0]["patched"] == 4);
}

TEST_CASE_FIXTURE(Fixture, "an empty diff changes nothing") {
  for (const std::string text : {"", "\n\n", "Subject: nothing\nBase: none.patch\n\n"}) {
    const RunResult result = diff(text);
    CHECK(result.exit_code == 0);
    CHECK(change_of(result, "small") == "unchanged");
    CHECK(json::parse(result.out)["maxima"].empty());
  }
}

TEST_CASE_FIXTURE(Fixture, "every way to write a patch") {
  CHECK(diff(patch("7", "", "")).exit_code == 1);
  CHECK(diff(patch("7", "old/", "new/")).exit_code == 1);
  CHECK(diff("From 0123 Mon Sep 17 00:00:00 2001\nFrom: A B <a@b>\nSubject: [PATCH] x\n\nText: "
             "prose\n---\n lib.tx | 2 +-\n 1 file changed\n\ndiff --git a/lib.tx b/lib.tx\nindex "
             "1..2 100644\n" +
             patch("7") + "-- \n2.39.0\n\n")
            .exit_code == 1);
  std::string crlf;
  for (const char c : patch("7")) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(diff(crlf).exit_code == 1);
  std::string stamped = patch("7");
  stamped.insert(stamped.find("lib.tx\n") + 6, "\t2010-11-20 10:00:00 +0100");
  CHECK(diff(stamped).exit_code == 1);
  CHECK(run({"diff", "stack.tx", "-"}, patch("7")).exit_code == 1);
  std::string windows;
  for (const char c : library) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write("lib.tx", windows);
  CHECK(diff(patch("7")).exit_code == 1);
}

TEST_CASE_FIXTURE(Fixture, "an offset is told, and context is exact") {
  RunResult result = diff(patch("7", "a/", "b/", "3"));
  CHECK(result.exit_code == 1);
  CHECK(says(result, "offset of 3 lines"));
  std::string wrong = patch("7");
  wrong.replace(wrong.find("fn add(cell c)"), 14, "fn add(cell d)");
  result = diff(wrong);
  CHECK(result.exit_code == 2);
  CHECK(says(result, "TX0504"));
  CHECK(says(result, "hunk 1 of 1"));
  CHECK(says(result, "fn add(cell d)"));
  CHECK(says(result, "fn add(cell c)"));
  CHECK(says(result, "lib.tx:6"));
}

TEST_CASE_FIXTURE(Fixture, "patches that cannot be used") {
  CHECK(run({"diff", "stack.tx", "none.patch"}).exit_code == 2);
  CHECK(says(diff("this is prose\nand more of it\n"), "TX0501"));
  CHECK(says(diff(library), "TX0501"));
  CHECK(says(diff(std::string("--- a\0b", 7)), "TX0501"));
  std::string cut = patch("7");
  cut.erase(cut.rfind("         return;\n"));
  CHECK(says(diff(cut), "TX0503"));
  std::string other = patch("7");
  for (std::size_t at = 0; (at = other.find("lib.tx", at)) != std::string::npos; ++at) {
    other.replace(at, 6, "abs.tx");
  }
  CHECK(says(diff(other), "no root has"));
  CHECK(diff(other).exit_code == 2);
  CHECK(says(diff("--- a/../../../etc/passwd\n+++ b/../../../etc/passwd\n@@ -1 +1 @@\n-x\n+y\n"),
             "TX0506"));
  CHECK(says(diff("--- a/lib.tx\n+++ b/lib.tx\n@@ nonsense\n"), "TX0502"));
  CHECK(says(diff("@@ -1 +1 @@\n-x\n+y\n"), "TX0502"));
  CHECK(says(diff("diff --git a/x.bin b/x.bin\nBinary files a/x.bin and b/x.bin differ\n"),
             "binary"));
  write("p.patch", patch("7"));
  CHECK(says(run({"diff", "stack.tx", "p.patch", "p.patch"}), "twice"));
  CHECK(says(run({"diff", "stack.tx", "--base", "p.patch", write("q.patch", patch("7"))}),
             "applied already"));
}

TEST_CASE_FIXTURE(Fixture, "a patch for another model is refused; one that touches more is noted") {
  write("unrelated.tx", "object thing { int n in 0..1 = 0; }\n");
  const std::string elsewhere =
      "--- a/unrelated.tx\n+++ b/unrelated.tx\n@@ -1 +1 @@\n-object thing { int n in 0..1 = 0; "
      "}\n+object thing { int n in 0..2 = 0; }\n";
  RunResult result = diff(elsewhere);
  CHECK(result.exit_code == 2);
  CHECK(says(result, "another model"));
  result = diff(elsewhere + patch("7"));
  CHECK(result.exit_code == 1);
  CHECK(says(result, "unrelated.tx"));
}

TEST_CASE_FIXTURE(Fixture, "new and deleted files") {
  const std::string create =
      "diff --git a/extra.tx b/extra.tx\nnew file mode 100644\n--- /dev/null\n+++ "
      "b/extra.tx\n@@ -0,0 +1,1 @@\n+const EXTRA = 7;\ndiff --git a/lib.tx b/lib.tx\n--- "
      "a/lib.tx\n+++ b/lib.tx\n@@ -1,1 +1,2 @@\n+import \"extra.tx\";\n fn limit_reached(cell c) { "
      "c.full = true; }\n@@ -7,1 +8,1 @@\n-    if (c.n >= 3) {\n+    if (c.n >= EXTRA) {\n";
  CHECK(diff(create).exit_code == 1);
  CHECK(!std::filesystem::exists(folder.path() / "extra.tx"));
  write("extra.tx", "");
  CHECK(says(diff(create), "TX0505"));
  const std::string remove = "--- a/extra.tx\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-const EXTRA = 7;\n";
  write("extra.tx", "const EXTRA = 7;\n");
  write("lib.tx", "import \"extra.tx\";\n" + library);
  const RunResult result = diff(remove);
  CHECK(result.exit_code == 2);  // what imports it can no longer be read
  CHECK(says(result, "extra.tx"));
}

TEST_CASE_FIXTURE(Fixture, "a property that can no longer be evaluated is never unchanged") {
  // Renamed everywhere but in the property.
  std::string renamed =
      "--- a/lib.tx\n+++ b/lib.tx\n@@ -1,1 +1,1 @@\n-fn limit_reached(cell c) { c.full = true; "
      "}\n+fn "
      "limit_was_reached(cell c) { c.full = true; }\n@@ -8,1 +8,1 @@\n-        "
      "limit_reached(c);\n+   "
      "     limit_was_reached(c);\n";
  RunResult result = diff(renamed);
  CHECK(result.exit_code == 3);
  CHECK(change_of(result, "limited") == "inconclusive");
  CHECK(change_of(result, "small") == "unchanged");
  // Still there, and never called.
  result = diff(
      "--- a/lib.tx\n+++ b/lib.tx\n@@ -8,1 +8,1 @@\n-        limit_reached(c);\n+        c.full = "
      "true;\n");
  CHECK(result.exit_code == 3);
  CHECK(change_of(result, "limited") == "inconclusive");
  // The stack does not check it any more.
  result = diff(
      "--- a/stack.tx\n+++ b/stack.tx\n@@ -5,1 +5,1 @@\n-stack s { cell a {}; run up(a); check "
      "small, limited; }\n+stack s { cell a {}; run up(a); check small; }\n");
  CHECK(change_of(result, "limited") == "removed");
}

TEST_CASE_FIXTURE(Fixture, "an added property that is violated is a regression") {
  const std::string add =
      "--- a/stack.tx\n+++ b/stack.tx\n@@ -5,1 +5,2 @@\n-stack s { cell a {}; run up(a); check "
      "small, "
      "limited; }\n+property never { always forall c in cell: !c.full; }\n+stack s { cell a {}; "
      "run "
      "up(a); check small, limited, never; }\n";
  const RunResult result = diff(add);
  CHECK(result.exit_code == 1);
  CHECK(change_of(result, "never") == "added");
}

TEST_CASE_FIXTURE(Fixture, "a limit makes a diff inconclusive") {
  const RunResult result =
      run({"diff", "stack.tx", write("p.patch", patch("4")), "--max-depth", "1"});
  CHECK(result.exit_code == 3);
}

TEST_CASE_FIXTURE(Fixture, "a patched model that does not parse is unusable") {
  CHECK(diff(patch("(")).exit_code == 2);
}

TEST_CASE_FIXTURE(Fixture, "two revisions of a git work tree") {
  REQUIRE(git({"init", "-q"}).exit_code == 0);
  REQUIRE(git({"add", "."}).exit_code == 0);
  REQUIRE(git({"commit", "-q", "-m", "one"}).exit_code == 0);
  REQUIRE(git({"tag", "one"}).exit_code == 0);
  std::string changed = library;
  changed.replace(changed.find(">= 3"), 4, ">= 7");
  write("lib.tx", changed);
  REQUIRE(git({"commit", "-q", "-a", "-m", "two"}).exit_code == 0);
  write("lib.tx", "this is no model");  // the work tree itself is not looked at
  RunResult result = run({"diff", "stack.tx", "--git", "one..HEAD", "--format", "json"});
  CHECK(result.exit_code == 1);
  CHECK(change_of(result, "small") == "regressed");
  CHECK(run({"diff", "stack.tx", "--git", "HEAD..one"}).exit_code == 0);
  CHECK(run({"diff", "stack.tx", "--git", "HEAD..HEAD"}).exit_code == 0);
  for (const char* bad : {"one", "one...HEAD", "nowhere..HEAD", "one..nowhere", "HEAD..-x"}) {
    result = run({"diff", "stack.tx", "--git", bad});
    CAPTURE(bad);
    CHECK(result.exit_code == 2);
    CHECK(says(result, "revision"));
  }
  CHECK(run({"diff", "stack.tx", "--git=-x..HEAD"}).exit_code == 2);
  CHECK(run({"diff", "stack.tx", "--git=--output=stolen..HEAD"}).exit_code == 2);
  CHECK(!std::filesystem::exists(folder.path() / "stolen"));
  CHECK(run({"diff", "stack.tx", "p.patch", "--git", "one..HEAD"}).exit_code == 2);
}

TEST_CASE_FIXTURE(Fixture, "--git outside a work tree") {
  const RunResult result = run({"diff", "stack.tx", "--git", "a..b"});
  CHECK(result.exit_code == 2);
  CHECK(says(result, "work tree"));
}

TEST_CASE_FIXTURE(Fixture, "a trace that was written is run again against the model as it is") {
  write("p.patch", patch("7"));
  REQUIRE(run({"check", "stack.tx", "--patch", "p.patch", "--traces", "out"}).exit_code == 1);
  RunResult result = run({"trace", "replay", "out/small.json", "--format", "json"});
  CHECK(result.exit_code == 1);
  CHECK(json::parse(result.out)["results"][0]["reproduced"] == true);
  CHECK(run({"trace", "show", "out/small.json"}).exit_code == 0);
  write("p.patch", patch("4"));
  result = run({"trace", "replay", "out/small.json", "--format", "json"});
  CHECK(result.exit_code == 0);
  CHECK(json::parse(result.out)["results"][0]["reproduced"] == false);
  CHECK(run({"trace", "replay", "out/limited.json"}).exit_code == 1);
}

}  // namespace
}  // namespace txproof::test
