#include <doctest/doctest.h>

#include <algorithm>

#include "model/lang/token.h"

using namespace txproof::lang;

namespace {

struct Lexed {
  std::vector<std::string> texts;
  std::vector<std::int64_t> values;
  std::vector<std::string> codes;
  std::size_t comments = 0;
};

Lexed lex(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId id = sources.add("t.tx", text);
  const TokenList list = tokenise(sources, id, diagnostics);
  Lexed result;
  for (const Token& token : list.tokens) {
    if (token.kind == TokenKind::end) break;
    result.texts.push_back(sources.file(id).text.substr(token.begin, token.end - token.begin));
    result.values.push_back(token.value);
  }
  for (const Diagnostic& d : diagnostics.all()) result.codes.push_back(d.code);
  result.comments = list.comments.size();
  CHECK(list.tokens.back().kind == TokenKind::end);
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the longest operator wins") {
  CHECK(lex("a<<=b>>c->d..e=>f>=g++").texts ==
        Texts{"a", "<<=", "b", ">>", "c", "->", "d", "..", "e", "=>", "f", ">=", "g", "++"});
  CHECK(lex("0..3").texts == Texts{"0", "..", "3"});
}

TEST_CASE("numbers: decimal and hex, up to the largest") {
  const Lexed good = lex("0 10 0x1F 9223372036854775807 0x7fffffffffffffff");
  CHECK(good.codes.empty());
  CHECK(good.values == std::vector<std::int64_t>{0, 10, 31, INT64_MAX, INT64_MAX});
  for (const char* bad : {"9223372036854775808", "0x8000000000000000", "12abc", "010", "0x", "1_0",
                          "99999999999999999999999999999999"}) {
    CAPTURE(bad);
    CHECK(lex(bad).codes == Texts{"TX0004"});
  }
}

TEST_CASE("strings have two escapes and one line") {
  CHECK(unquote(R"("a \"b\" \\ c")") == R"(a "b" \ c)");
  CHECK(unquote(quote_string(R"(\"x\\")")) == R"(\"x\\")");
  CHECK(lex(R"("a \" b" c)").texts.size() == 2);
  CHECK(lex("\"abc\nx").codes == Texts{"TX0003"});
  CHECK(lex("\"abc\nx").texts.back() == "x");
  CHECK(lex(R"("a\n")").codes == Texts{"TX0003"});
  CHECK(lex("\"abc\\").codes.size() >= 1);
}

TEST_CASE("comments are kept apart; one that is not closed is an error at its start") {
  CHECK(lex("a // b\nc /* d\n e */ f").texts == Texts{"a", "c", "f"});
  CHECK(lex("a // b\nc /* d\n e */ f").comments == 2);
  CHECK(lex("a /* b").codes == Texts{"TX0005"});
  CHECK(lex("/*/ a").codes == Texts{"TX0005"});
}

TEST_CASE("a binary file is one error and no tokens") {
  const Lexed binary = lex(std::string("\x89PNG\0\0@@@", 9));
  CHECK(binary.codes == Texts{"TX0001"});
  CHECK(binary.texts.empty());
  const Lexed noise = lex(std::string(1000, '@'));
  CHECK(noise.codes.size() == 22);
  CHECK(noise.codes.back() == "TX0001");
}

TEST_CASE("stray characters: a word in another script and a preprocessor line are one each") {
  CHECK(lex("gr\xC3\xB6\xC3\x9F"
            "e")
            .codes == Texts{"TX0002"});
  CHECK(lex("#include \"a.h\"\nx").codes == Texts{"TX0002"});
  CHECK(lex("#include \"a.h\"\nx").texts == Texts{"x"});
}

TEST_CASE("too many tokens is one error") {
  const Lexed many = lex(std::string(1'000'002, ';'));
  CHECK(many.codes == Texts{"TX0006"});
  CHECK(many.texts.empty());
}

TEST_CASE("what C calls keywords and fields may still be names after a dot") {
  CHECK(is_reserved("while"));
  CHECK(is_reserved("NULL"));
  CHECK(is_reserved("yield"));
  CHECK(is_reserved("assert"));
  for (const char* free : {"count", "sum", "min", "max", "take", "copy", "get", "any", "of", "head",
                           "len", "linear", "rate", "run", ""}) {
    CHECK_FALSE(is_reserved(free));
  }
}
