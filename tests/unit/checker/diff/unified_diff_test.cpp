#include "checker/diff/unified_diff.h"

#include <doctest/doctest.h>

#include <string>

namespace txproof::diff {
namespace {

struct Read {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  Patch patch;
  explicit Read(const std::string& text) {
    const lang::FileId file = sources.add("x.patch", text);
    patch = parse_patch(sources, file, diagnostics);
  }
  [[nodiscard]] std::string code() const {
    return diagnostics.all().empty() ? "" : diagnostics.all()[0].code;
  }
};

TEST_CASE("a hunk: ranges, kinds of lines, spans") {
  const Read read("--- a/f.tx\n+++ b/f.tx\n@@ -3,3 +3,4 @@ fn f\n one\n-two\n+2\n+2b\n\n");
  REQUIRE(read.code() == "");
  REQUIRE(read.patch.files.size() == 1);
  const FilePatch& file = read.patch.files[0];
  CHECK(file.old_path == "a/f.tx");
  REQUIRE(file.hunks.size() == 1);
  const Hunk& hunk = file.hunks[0];
  CHECK(hunk.old_start == 3);
  CHECK(hunk.old_count == 3);
  CHECK(hunk.new_count == 4);
  REQUIRE(hunk.lines.size() == 5);
  CHECK(hunk.lines[1].kind == LineKind::removed);
  CHECK(hunk.lines[1].text == "two");
  CHECK(hunk.lines[4].kind == LineKind::context);  // mail programs strip the blank of an empty line
  CHECK(hunk.lines[4].text == "");
  CHECK(read.sources.position(1, hunk.lines[1].span.begin).line == 5);
}

TEST_CASE("a removed line that looks like a header is part of the hunk") {
  const Read read("--- f\n+++ f\n@@ -1,2 +1,1 @@\n--- x\n y\n");
  REQUIRE(read.code() == "");
  CHECK(read.patch.files[0].hunks[0].lines[0].text == "-- x");
}

TEST_CASE("names: quoted, with blanks, renamed, /dev/null") {
  const Read quoted("--- \"a/\\303\\244.tx\"\n+++ \"b/\\303\\244.tx\"\n@@ -1 +1 @@\n-x\n+y\n");
  CHECK(quoted.patch.files.at(0).old_path == "a/\xC3\xA4.tx");
  const Read blank("diff --git a/my file.tx b/my file.tx\nold mode 100644\nnew mode 100755\n");
  CHECK(blank.patch.files.at(0).old_path == "a/my file.tx");
  const Read renamed(
      "diff --git a/x.tx b/y.tx\nsimilarity index 100%\nrename from x.tx\nrename to y.tx\n");
  CHECK(renamed.patch.files.at(0).renames);
  CHECK(renamed.patch.files.at(0).new_path == "y.tx");
  const Read created("--- /dev/null\n+++ b/new.tx\n@@ -0,0 +1 @@\n+x\n");
  CHECK(created.patch.files.at(0).creates);
  CHECK(created.patch.files.at(0).old_path == "");
}

TEST_CASE("the header: Base lines, prose, nothing at all") {
  const Read based(
      "Title\n\nBase: one.patch\nBase: two.patch\n\n--- f\n+++ f\n@@ -1 +1 @@\n-x\n+y\n");
  CHECK(based.patch.bases == std::vector<std::string>{"one.patch", "two.patch"});
  CHECK(Read("").code() == "");
  CHECK(Read("Upstream: abc\n\nWords about it.\n").code() == "");
  CHECK(Read("Words alone.\n").code() == "TX0501");
}

TEST_CASE("counts that do not fit") {
  CHECK(Read("--- f\n+++ f\n@@ -1,2 +1,1 @@\n-x\n").code() == "TX0503");
  CHECK(Read("--- f\n+++ f\n@@ -1 +1 @@\n-x\n+y\n+z\n").code() == "TX0503");
  CHECK(Read("--- f\n+++ f\n@@ -1 +1 @@\n-x\n-y\n").code() == "TX0503");
  CHECK(Read("--- f\n+++ f\n@@ -99999999999,1 +1 @@\n-x\n+y\n").code() == "TX0502");
  CHECK(Read("--- f\n+++ f\n").code() == "TX0502");
  CHECK(Read("@@ -1 +1 @@\n-x\n+y\n").code() == "TX0502");
}

TEST_CASE("prefixes") {
  CHECK(without_prefix("a/model/x.tx") == "model/x.tx");
  CHECK(without_prefix("w/x.tx") == "x.tx");
  CHECK(without_prefix("model/x.tx") == "model/x.tx");
  CHECK(without_prefix("ab/x.tx") == "ab/x.tx");
}

}  // namespace
}  // namespace txproof::diff
