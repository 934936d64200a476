#include "model/lang/diagnostic.h"

#include <doctest/doctest.h>

#include <set>

using namespace txproof::lang;

TEST_CASE("sorting goes by place and drops exact duplicates only") {
  Diagnostics list;
  list.error("TX0001", Span{1, 9, 10}, "late");
  list.error("TX0001", Span{1, 3, 4}, "early");
  list.error("TX0001", Span{1, 3, 4}, "another");
  list.error("TX0001", Span{1, 3, 4}, "early");
  list.warning("TX0001", Span{1, 3, 4}, "early");
  CHECK(list.error_count() == 4);
  list.sort();
  REQUIRE(list.all().size() == 4);
  CHECK(list.error_count() == 3);
  CHECK(list.all()[0].message == "early");
  CHECK(list.all()[1].message == "another");
  CHECK(list.all()[3].message == "late");
}

TEST_CASE("the caret stands under the place, tabs are kept") {
  SourceSet sources;
  const FileId id = sources.add("a.tx", "x\n\tq.push(skb);\n");
  Diagnostics list;
  list.error("TX0199", Span{id, 5, 9}, "message").notes.push_back({Span{id, 0, 1}, "here"});
  CHECK(render(sources, list.all()[0]) ==
        "a.tx:2:4: error: message [TX0199]\n"
        "   2 | \tq.push(skb);\n"
        "     | \t  ^~~~\n"
        "a.tx:1:1: note: here\n"
        "   1 | x\n"
        "     | ^\n");
}

TEST_CASE("nowhere gives no line") {
  SourceSet sources;
  Diagnostics list;
  list.warning("TX0199", Span{}, "message");
  CHECK(render(sources, list.all()[0]) == "warning: message [TX0199]\n");
}

TEST_CASE("a line of 10 MB is cut around the place") {
  SourceSet sources;
  const std::string half(5U << 20U, 'a');
  const FileId id = sources.add("a.tx", half + "@" + half);
  Diagnostics list;
  list.error("TX0199", Span{id, 5U << 20U, (5U << 20U) + 1}, "message");
  const std::string text = render(sources, list.all()[0]);
  CHECK(text.size() < 600);
  // The caret is below the @, counted in characters: the line begins with one "…" of three bytes.
  const std::size_t shown = text.find(" | ") + 3;
  const std::size_t under = text.find(" | ", shown) + 3;
  CHECK(text.find('@') - shown - 2 == text.find('^') - under);
}

TEST_CASE("control bytes and bad UTF-8 never reach the terminal") {
  SourceSet sources;
  const FileId id = sources.add("a\x1B[31m.tx", "\x1B[2J\xFF\xC2\x9B@\xE2\x82");
  Diagnostics list;
  list.error("TX0199", Span{id, 7, 8}, "bad \x1B[0m");
  const std::string text = render(sources, list.all()[0]);
  CHECK(text.find('\x1B') == std::string::npos);
  CHECK(text.find('\xFF') == std::string::npos);
  CHECK(text.find("\xC2\x9B") == std::string::npos);
  CHECK(text.find("\xEF\xBF\xBD") != std::string::npos);
}

TEST_CASE("the nearest name is a likely slip or nothing") {
  const std::vector<std::string> names = {"skb_orphan", "kfree_skb", "consume_skb", "if", "while"};
  CHECK(nearest_name("skb_ophran", names) == "skb_orphan");
  CHECK(nearest_name("KFREE_SKB", names) == "kfree_skb");
  CHECK(nearest_name("whlie", names) == "while");
  CHECK(nearest_name("fi", names) == "if");
  CHECK(nearest_name("dev_queue_xmit", names).empty());
  CHECK(nearest_name("x", names).empty());
  CHECK(nearest_name("do", names).empty());
  CHECK(nearest_name(std::string(100000, 'a'), names).empty());
}

TEST_CASE("equally near names: the first in the alphabet, whatever the order") {
  CHECK(nearest_name("qlex", {"qlez", "qlea"}) == "qlea");
  CHECK(nearest_name("qlex", {"qlea", "qlez"}) == "qlea");
}

TEST_CASE("every code has a title and an explanation, and stands once") {
  std::set<std::string> seen;
  CHECK(all_codes().size() > 30);
  for (const CodeInfo& info : all_codes()) {
    CAPTURE(std::string(info.code));
    CHECK(seen.insert(info.code).second);
    CHECK(std::string(info.code).size() == 6);
    CHECK(std::string(info.title).size() > 5);
    CHECK(std::string(info.explanation).size() > 30);
    // What is wrong with a model's text is shown in a line of text.
    if (std::string(info.code) < "TX0400") {
      CHECK(std::string(info.explanation).find("\n    ") != std::string::npos);
    }
    CHECK(find_code(info.code) == &info);
  }
  CHECK(find_code("TX9999") == nullptr);
}
