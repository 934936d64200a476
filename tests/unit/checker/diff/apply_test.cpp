#include "checker/diff/apply.h"

#include <doctest/doctest.h>

#include <string>

namespace txproof::diff {
namespace {

struct Applied {
  bool good = false;
  std::string text;
  std::vector<Offset> offsets;
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;

  Applied(const std::string& old_text, const std::string& hunks) {
    const lang::FileId file = sources.add("x.patch", "--- f\n+++ f\n" + hunks);
    const Patch patch = parse_patch(sources, file, diagnostics);
    REQUIRE(!diagnostics.has_errors());
    good = apply_hunks(patch.files[0], "f", old_text, sources, diagnostics, text, offsets);
  }
  [[nodiscard]] std::string message() const { return render(sources, diagnostics.all().at(0)); }
};

TEST_CASE("in place, at an offset, several hunks in order") {
  const Applied exact("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  CHECK(exact.text == "a\nB\nc\n");
  CHECK(exact.offsets.empty());
  const Applied later("x\ny\na\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  CHECK(later.text == "x\ny\na\nB\nc\n");
  REQUIRE(later.offsets.size() == 1);
  CHECK(later.offsets[0].lines == 2);
  // The second hunk's place follows from the first one's offset and growth.
  const Applied two("x\na\nb\nc\n", "@@ -1 +1,2 @@\n a\n+a2\n@@ -3 +4 @@\n-c\n+C\n");
  CHECK(two.text == "x\na\na2\nb\nC\n");
  CHECK(two.offsets.size() == 1);
}

TEST_CASE("the nearest of two places is taken, never one before the last hunk") {
  const Applied near("k\n1\n2\n3\n4\nk\n", "@@ -5 +5 @@\n-k\n+K\n");
  CHECK(near.text == "k\n1\n2\n3\n4\nK\n");
  const Applied ordered("k\nm\n", "@@ -2 +2 @@\n-m\n+M\n@@ -3 +3 @@\n-k\n+K\n");
  CHECK(!ordered.good);
}

TEST_CASE("insertion without context must stand where it says") {
  CHECK(Applied("a\nb\n", "@@ -1,0 +2 @@\n+x\n").text == "a\nx\nb\n");
  CHECK(Applied("", "@@ -0,0 +1 @@\n+x\n").text == "x\n");
  CHECK(!Applied("a\n", "@@ -7,0 +8 @@\n+x\n").good);
}

TEST_CASE("the newline at the end of a file") {
  CHECK(Applied("a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n").text == "b\n");
  CHECK(Applied("a\n", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n").text == "b");
  CHECK(Applied("a\nz", "@@ -1 +1 @@\n-a\n+b\n").text == "b\nz");
}

TEST_CASE("what does not apply says what it expected and what stands there") {
  const Applied wrong("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-bee\n+B\n c\n");
  CHECK(!wrong.good);
  CHECK(wrong.message().find("hunk 1 of 1 does not apply to f") != std::string::npos);
  CHECK(wrong.message().find("-bee") != std::string::npos);
  CHECK(wrong.message().find("f:2") != std::string::npos);
  const Applied done("a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  CHECK(done.message().find("applied already") != std::string::npos);
  const Applied past("a\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
  CHECK(past.message().find("ends at line 1") != std::string::npos);
  const Applied empty("", "@@ -1 +1 @@\n-b\n+B\n");
  CHECK(!empty.good);
}

}  // namespace
}  // namespace txproof::diff
