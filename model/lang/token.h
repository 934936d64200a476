// Tokens and comments: what the lexer makes of a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/source.h"

namespace txproof::lang {

enum class TokenKind : std::uint8_t {
  end,          // of the file; always the last token
  word,         // names and keywords: which of them, the parser decides by context
  integer,      // value
  string,       // with its quotes
  punctuation,  // operators and brackets, the longest that fits
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::int64_t value = 0;
};

// Kept apart from the tokens: only the printer wants them.
struct Comment {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // without the newline
};

struct TokenList {
  std::vector<Token> tokens;
  std::vector<Comment> comments;
  std::vector<std::uint32_t> strays;  // places of reported characters that gave no token
};

// Splits a file into tokens.
//   ensures: the last token is `end`; characters that fit nowhere are reported and left out
//   errors:  a file that is no text, or has too many tokens, gives one message and no tokens
TokenList tokenise(const SourceSet& sources, FileId file, Diagnostics& diagnostics);

// The value of a string token's text: quotes removed, \" and \\ resolved.
std::string unquote(std::string_view text);
std::string quote_string(std::string_view value);

// Words that can never be a name of the model's own.
bool is_reserved(std::string_view word);

// Can an operand begin with this word, so that a `copy`, `take`, `get` or `any` before it is an
// operator? (Those four are names everywhere else.)
bool begins_operand(std::string_view word);

}  // namespace txproof::lang
