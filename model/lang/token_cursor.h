// The parser's hand on the tokens: looking ahead, demanding, complaining, and finding the place to
// go on after a mistake.
//
// One mistake gives one message: a second complaint about the same token is dropped, and after one
// the parser skips to the end of the statement or declaration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/token.h"

namespace txproof::lang {

// Thrown after a report; caught by the nearest list of statements, members or declarations.
struct SyntaxError {};
// Thrown after a report: a brace is not closed before the next declaration. Caught by the
// declaration that has the brace.
struct UnclosedBrace {};
// Thrown after a report: going on makes no sense.
struct HopelessFile {};

class TokenCursor {
 public:
  TokenCursor(const SourceSet& sources, FileId file, Diagnostics& diagnostics);

 protected:
  // A construct inside another costs kNesting, one more operand of a chain costs 1: both make the
  // tree deeper, and everything that walks it recurses.
  static constexpr int kNesting = 10;
  static constexpr int kMaxDepth = 2000;

  // Counts how deep the tree is while it lives.
  class Depth {
   public:
    Depth(TokenCursor& cursor, int cost) : cursor_(cursor) { add(cost); }
    ~Depth() { cursor_.depth_ -= cost_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    void add(int cost) {
      cost_ += cost;
      cursor_.depth_ += cost;
      if (cursor_.depth_ > kMaxDepth) {
        cursor_.depth_ -= cost_;
        cursor_.too_deep();
      }
    }

   private:
    TokenCursor& cursor_;
    int cost_ = 0;
  };

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    const std::size_t index = position_ + ahead;
    return index < tokens_.size() ? tokens_[index] : tokens_.back();
  }
  [[nodiscard]] std::string_view text(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::end; }
  // Is the token that far ahead this keyword or punctuation?
  [[nodiscard]] bool at(std::string_view what, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.kind != TokenKind::string && text(token) == what && !what.empty();
  }
  [[nodiscard]] bool at_word(std::size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::word;
  }
  // A word that may name something of the model's own.
  [[nodiscard]] bool at_name(std::size_t ahead = 0) const {
    return at_word(ahead) && !is_reserved(text(peek(ahead)));
  }
  [[nodiscard]] bool is_first_on_line() const;

  const Token& advance();
  bool accept(std::string_view what);
  Span expect(std::string_view what, const std::string& context);
  // `what` names the thing that is expected: "a field name"; any word after a dot.
  std::string expect_name(const std::string& what, Span* span = nullptr);
  std::string expect_word(const std::string& what, Span* span = nullptr);
  // A missing semicolon at the end of a line is reported and taken as written.
  void expect_semicolon(const std::string& after);

  [[nodiscard]] Span span_of(const Token& token) const { return {file_, token.begin, token.end}; }
  [[nodiscard]] Span here() const { return span_of(peek()); }
  [[nodiscard]] Span since(std::uint32_t begin) const;  // from there to the last token taken
  [[nodiscard]] Span behind_previous() const;
  [[nodiscard]] std::string describe(const Token& token) const;
  [[nodiscard]] std::string found() const { return ", found " + describe(peek()); }
  // ` - did you mean 'while'?`, if the word that is next is near one of these
  [[nodiscard]] std::string did_you_mean(const std::vector<std::string>& words,
                                         std::size_t ahead = 0) const;

  // Returns null where the message is dropped.
  // (A place where the lexer has found something strange is not reported again.)
  Diagnostic* report(const char* code, Span span, std::string message);
  [[noreturn]] void fail(const char* code, Span span, std::string message);
  [[noreturn]] void too_deep();
  [[noreturn]] void unclosed(Span open);

  // Behind the `;` or block that ends the broken statement, which began at token `from`, or before
  // the `}` around it.
  void skip_statement(std::size_t from);
  // Before the next token that can begin a declaration.
  void skip_declaration();
  // `fn`, `object`, … : no statement and no item of a property or stack begins like that.
  [[nodiscard]] bool at_declaration() const;

  FileId file_;
  std::string_view text_;
  std::size_t position_ = 0;

 private:
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> strays_;
  std::size_t last_reported_ = static_cast<std::size_t>(-1);
  std::size_t reported_ = 0;
  int depth_ = 0;
};

}  // namespace txproof::lang
