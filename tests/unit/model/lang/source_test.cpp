#include "model/lang/source.h"

#include <doctest/doctest.h>

using namespace txproof::lang;

TEST_CASE("lines and columns count from one, in characters") {
  SourceSet sources;
  const FileId id = sources.add("a.tx", "ab\n\xC3\xA4\tc\n");
  CHECK(sources.position(id, 0).line == 1);
  CHECK(sources.position(id, 0).column == 1);
  CHECK(sources.position(id, 3).line == 2);
  CHECK(sources.position(id, 5).column == 2);  // the tab, behind one character of two bytes
  CHECK(sources.position(id, 6).column == 3);
  CHECK(sources.position(id, 8).line == 3);
  CHECK(sources.position(id, 1000).line == 3);
  CHECK(sources.line(id, 1) == "ab");
  CHECK(sources.line(id, 3).empty());
  CHECK(sources.line(id, 4).empty());
}

TEST_CASE("a byte order mark goes and CRLF becomes LF") {
  SourceSet sources;
  const FileId id = sources.add("a.tx", "\xEF\xBB\xBFone\r\ntwo\rx\r\n");
  CHECK(sources.file(id).text == "one\ntwo\rx\n");
  CHECK(sources.line(id, 2) == "two\rx");
}

TEST_CASE("file 0 is nowhere, ids count up") {
  SourceSet sources;
  CHECK(sources.file(0).text.empty());
  CHECK(sources.add("a", "") == 1);
  CHECK(sources.add("b", "") == 2);
}
