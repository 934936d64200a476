#include "model/lang/token_cursor.h"

#include <algorithm>
#include <utility>

namespace txproof::lang {

namespace {

constexpr std::size_t kMaxReports = 100;

}  // namespace

TokenCursor::TokenCursor(const SourceSet& sources, FileId file, Diagnostics& diagnostics)
    : file_(file), text_(sources.file(file).text), diagnostics_(diagnostics) {
  TokenList list = tokenise(sources, file, diagnostics);
  tokens_ = std::move(list.tokens);
  strays_ = std::move(list.strays);
}

bool TokenCursor::is_first_on_line() const {
  if (position_ == 0) return true;
  const std::uint32_t from = tokens_[position_ - 1].end;
  return text_.substr(from, peek().begin - from).find('\n') != std::string_view::npos;
}

const Token& TokenCursor::advance() {
  const Token& token = peek();
  if (token.kind != TokenKind::end) ++position_;
  return token;
}

bool TokenCursor::accept(std::string_view what) {
  if (!at(what)) return false;
  advance();
  return true;
}

Span TokenCursor::expect(std::string_view what, const std::string& context) {
  if (at(what)) return span_of(advance());
  std::string message = "expected '" + std::string(what) + "' " + context + found();
  if (at("=") && (what == ")" || what == ";" || what == ":")) message += "; `==` compares";
  fail("TX0101", here(), std::move(message));
}

std::string TokenCursor::expect_name(const std::string& what, Span* span) {
  if (!at_name()) {
    std::string message = "expected " + what + found();
    if (at_word()) message += ", which is a word of the language";
    fail("TX0102", here(), std::move(message));
  }
  return expect_word(what, span);
}

std::string TokenCursor::expect_word(const std::string& what, Span* span) {
  if (!at_word()) fail("TX0102", here(), "expected " + what + found());
  const Token& token = advance();
  if (span != nullptr) *span = span_of(token);
  return std::string(text(token));
}

void TokenCursor::expect_semicolon(const std::string& after) {
  if (accept(";")) return;
  std::string message = "expected ';' after " + after + found();
  if (at("=")) message += "; `==` compares";
  if (at("++") || at("--")) message += "; `x++;` is a statement of its own";
  report("TX0103", behind_previous(), std::move(message));
  if (!at_end() && !at("}") && !is_first_on_line()) throw SyntaxError{};
}

Span TokenCursor::since(std::uint32_t begin) const {
  const std::uint32_t end = position_ > 0 ? tokens_[position_ - 1].end : begin;
  return {file_, begin, std::max(begin, end)};
}

Span TokenCursor::behind_previous() const {
  const std::uint32_t end = position_ > 0 ? tokens_[position_ - 1].end : 0;
  return {file_, end, end};
}

std::string TokenCursor::describe(const Token& token) const {
  if (token.kind == TokenKind::end) return "the end of the file";
  std::string shown(text(token));
  if (shown.size() > 40) shown = shown.substr(0, 37) + "...";
  return token.kind == TokenKind::string ? "the string " + shown : "'" + shown + "'";
}

std::string TokenCursor::did_you_mean(const std::vector<std::string>& words,
                                      std::size_t ahead) const {
  if (!at_word(ahead)) return {};
  const std::string nearest = nearest_name(std::string(text(peek(ahead))), words);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

Diagnostic* TokenCursor::report(const char* code, Span span, std::string message) {
  if (last_reported_ == position_) return nullptr;
  last_reported_ = position_;
  const std::uint32_t previous = behind_previous().begin;
  const auto stray = std::lower_bound(strays_.begin(), strays_.end(), previous);
  if (stray != strays_.end() && *stray < peek().begin) return nullptr;
  // At the end of the file the last thing in it says more than the empty line behind.
  if (at_end() && span == here()) span = behind_previous();
  if (++reported_ > kMaxReports) {
    diagnostics_.error("TX0104", here(), "too many errors in this file; the rest is not read");
    throw HopelessFile{};
  }
  return &diagnostics_.error(code, span, std::move(message));
}

void TokenCursor::fail(const char* code, Span span, std::string message) {
  report(code, span, std::move(message));
  throw SyntaxError{};
}

void TokenCursor::too_deep() {
  report("TX0105", here(),
         "nested too deeply: at most " + std::to_string(kMaxDepth / kNesting) +
             " constructs inside each other, or " + std::to_string(kMaxDepth) +
             " operators in a row");
  throw HopelessFile{};
}

void TokenCursor::unclosed(Span open) {
  std::string message = at_end() ? "expected '}', found the end of the file"
                                 : "expected '}' before " + describe(peek());
  if (Diagnostic* diagnostic = report("TX0106", here(), std::move(message))) {
    diagnostic->notes.push_back({open, "the '{' that is not closed"});
  }
  throw UnclosedBrace{};
}

bool TokenCursor::at_declaration() const {
  for (const char* word :
       {"fn", "object", "interface", "property", "stack", "typedef", "import", "enum"}) {
    if (at(word)) return true;
  }
  if (at("linear") || at("counted")) return at("struct", 1);
  if (at("urgent") || at("strong")) return at("thread", 1);
  return at("thread") && at_word(1) && at("(", 2);
}

void TokenCursor::skip_statement(std::size_t from) {
  // Braces that the statement has opened are those of values; no `;` stands in them. Those that
  // are met from here on are blocks.
  std::size_t values = 0;
  for (std::size_t i = from; i < position_; ++i) {
    const std::string_view token = text(tokens_[i]);
    if (token == "{") ++values;
    if (token == "}" && values > 0) --values;
  }
  std::size_t blocks = 0;
  for (bool first = true; !at_end(); first = false) {
    if (blocks == 0 && !first) {
      if (at_declaration()) return;
      if (is_first_on_line() && values == 0) {
        for (const char* word : {"if",   "while",  "for",    "do",    "loop",   "either",  "wait",
                                 "rest", "return", "atomic", "pause", "yield",  "destroy", "on",
                                 "per",  "always", "run",    "check", "assume", "param"}) {
          if (at(word)) return;
        }
      }
    }
    if (at("}") && blocks == 0 && values == 0) return;
    const bool closes = at("}");
    if (at("{")) ++blocks;
    if (closes) --(blocks > 0 ? blocks : values);
    const bool ends = at(";") && blocks == 0;
    advance();
    if (ends) return;
    if (closes && blocks == 0 && values == 0) {
      if (accept(";")) return;
      if (!at("else") && !at("or") && !at("while") && !at(",")) return;
    }
  }
}

void TokenCursor::skip_declaration() {
  std::size_t open = 0;
  while (!at_end()) {
    // A brace that is never closed must not hide the rest of the file.
    const bool line_start = peek().begin == 0 || text_[peek().begin - 1] == '\n';
    const std::string_view previous = position_ > 0 ? text(tokens_[position_ - 1]) : ";";
    const bool free = open == 0 && (is_first_on_line() || previous == ";" || previous == "}");
    if ((line_start || free) &&
        (at_declaration() || at("const") || at("counter") || at("struct"))) {
      return;
    }
    if (at("{")) ++open;
    if (at("}") && open > 0) --open;
    advance();
  }
}

}  // namespace txproof::lang
