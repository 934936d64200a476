#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <string_view>

#include "model/lang/token.h"

namespace txproof::lang {

namespace {

constexpr std::size_t kMaxTokens = 1'000'000;
constexpr std::size_t kMaxErrors = 20;  // stray characters reported before the lexer gives up

// Longest first, so that the first that matches is the right one.
constexpr auto kPunctuation = std::to_array<std::string_view>(
    {"<<=", ">>=", "->", "..", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&",
     "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", ".",
     "=",   "!",   "<",  ">",  "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",
     "~",   "?",   ":",  ";",  ",",  "(",  ")",  "[",  "]",  "{",  "}"});

bool is_word_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_word_start(c) || is_digit(c); }
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_control(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u < 0x20 && !is_space(c)) || u == 0x7F;
}

class Lexer {
 public:
  Lexer(const SourceSet& sources, FileId file, Diagnostics& diagnostics)
      : text_(sources.file(file).text), file_(file), diagnostics_(diagnostics) {}

  TokenList run() {
    if (is_binary()) return finish();
    while (at_ < text_.size()) {
      step();
      if (list_.tokens.size() > kMaxTokens) {
        report("TX0006", at_, at_, "the file has more than 1000000 tokens");
        list_.tokens.clear();
        return finish();
      }
      if (errors_ > kMaxErrors) {
        report("TX0001", at_, at_, "too many characters that fit nowhere; is this a .tx file?");
        list_.tokens.clear();
        return finish();
      }
    }
    return finish();
  }

 private:
  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  TokenList list_;
  std::size_t at_ = 0;
  std::size_t errors_ = 0;

  TokenList finish() {
    const auto size = static_cast<std::uint32_t>(text_.size());
    list_.tokens.push_back(Token{TokenKind::end, size, size, 0});
    return std::move(list_);
  }

  Diagnostic& report(const char* code, std::size_t begin, std::size_t end, std::string message) {
    ++errors_;
    return diagnostics_.error(
        code, Span{file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
        std::move(message));
  }

  // One message for a picture or an archive, not one for each of its bytes.
  bool is_binary() {
    const auto bad = std::find_if(text_.begin(), text_.end(), is_control);
    if (bad == text_.end()) return false;
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(*bad);
    const auto place = static_cast<std::size_t>(bad - text_.begin());
    report("TX0001", place, place + 1,
           std::string("not a text file: it has the byte 0x") + kDigits[value >> 4U] +
               kDigits[value & 15U]);
    return true;
  }

  void add(TokenKind kind, std::size_t begin, std::int64_t value = 0) {
    list_.tokens.push_back(
        Token{kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_), value});
  }

  void step() {
    const char c = text_[at_];
    if (is_space(c)) {
      ++at_;
    } else if (is_word_start(c) || is_beyond_ascii(c)) {
      word();
    } else if (is_digit(c)) {
      integer();
    } else if (c == '"') {
      string();
    } else if (text_.substr(at_, 2) == "//" || text_.substr(at_, 2) == "/*") {
      comment();
    } else {
      punctuation();
    }
  }

  // A word with letters of another script is reported once and then taken as the name it is.
  void word() {
    const std::size_t begin = at_;
    bool ascii = true;
    for (; at_ < text_.size() && (is_word(text_[at_]) || is_beyond_ascii(text_[at_])); ++at_) {
      ascii = ascii && !is_beyond_ascii(text_[at_]);
    }
    if (!ascii) {
      report("TX0002", begin, at_,
             "'" + shortened(text_.substr(begin, at_ - begin)) +
                 "' is no name: names are ASCII; other scripts only in comments and strings");
    }
    add(TokenKind::word, begin);
  }

  void integer() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view digits = text_.substr(begin, at_ - begin);
    const bool hex = digits.size() > 2 && (digits.starts_with("0x") || digits.starts_with("0X"));
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const std::int64_t base = hex ? 16 : 10;
    std::int64_t value = 0;
    bool too_large = false;
    for (const char c : digits.substr(hex ? 2 : 0)) {
      std::int64_t digit = 16;
      if (is_digit(c)) digit = c - '0';
      if (hex && c >= 'a' && c <= 'f') digit = c - 'a' + 10;
      if (hex && c >= 'A' && c <= 'F') digit = c - 'A' + 10;
      if (digit >= base) {
        report("TX0004", begin, at_,
               "'" + shortened(digits) + "' is not a number: write decimal or 0x and hex digits");
        add(TokenKind::integer, begin);
        return;
      }
      if (value > (kMax - digit) / base) {
        too_large = true;
        value = 0;
      }
      value = value * base + digit;
    }
    if (too_large) {
      report("TX0004", begin, at_,
             "'" + shortened(digits) + "' is too large: numbers go up to 9223372036854775807");
    } else if (!hex && digits.size() > 1 && digits[0] == '0') {
      report("TX0004", begin, at_,
             "'" + shortened(digits) + "' looks octal: write decimal or 0x and hex digits");
    }
    add(TokenKind::integer, begin, too_large ? 0 : value);
  }

  static std::string shortened(std::string_view text) {
    return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
  }

  void string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      if (text_[at_] == '\\') {
        const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\n';
        if (next != '"' && next != '\\') {
          report("TX0003", at_, at_ + 1, "in a string \\ stands only before \" and \\");
        } else {
          ++at_;
        }
      }
      ++at_;
    }
    if (at_ >= text_.size() || text_[at_] == '\n') {
      report("TX0003", begin, begin + 1, "this string is not closed on its line");
    } else {
      ++at_;
    }
    add(TokenKind::string, begin);
  }

  void comment() {
    const std::size_t begin = at_;
    if (text_[at_ + 1] == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      const std::size_t close = text_.find("*/", at_ + 2);
      if (close == std::string_view::npos) {
        report("TX0005", begin, begin + 2, "this comment is not closed");
        at_ = text_.size();
        return;
      }
      at_ = close + 2;
    }
    list_.comments.push_back(
        Comment{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
  }

  void punctuation() {
    for (const std::string_view candidate : kPunctuation) {
      if (text_.substr(at_, candidate.size()) != candidate) continue;
      const std::size_t begin = at_;
      at_ += candidate.size();
      add(TokenKind::punctuation, begin);
      return;
    }
    stray();
  }

  void stray() {
    const std::size_t begin = at_++;
    const char c = text_[begin];
    std::string message = std::string("'") + c + "' fits nowhere";
    if (c == '#') {
      message += ": there is no preprocessor; use `import` and `const`";
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\'') {
      message = "no characters in single quotes: strings stand in \"double quotes\"";
      const std::size_t close = text_.find_first_of("'\n;", at_);
      if (close != std::string_view::npos && text_[close] == '\'') {
        at_ = close + 1;
        report("TX0002", begin, at_, std::move(message));
        add(TokenKind::integer, begin);  // stands where a value was meant
        return;
      }
    }
    report("TX0002", begin, begin + 1, std::move(message));
    // What follows a preprocessor line is read as if the line were not there.
    if (c != '#') list_.strays.push_back(static_cast<std::uint32_t>(begin));
  }
};

}  // namespace

TokenList tokenise(const SourceSet& sources, FileId file, Diagnostics& diagnostics) {
  return Lexer(sources, file, diagnostics).run();
}

std::string unquote(std::string_view text) {
  if (!text.empty() && text.front() == '"') text.remove_prefix(1);
  std::string result;
  for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    if (escape && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
    result.push_back(text[i]);
  }
  return result;
}

std::string quote_string(std::string_view value) {
  std::string result = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') result.push_back('\\');
    result.push_back(c);
  }
  return result + "\"";
}

bool is_reserved(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {// sorted
       "NULL",      "assert", "atomic",  "bag",    "bool",   "break",  "const",  "continue",
       "destroy",   "do",     "either",  "else",   "enum",   "exists", "false",  "fifo",
       "fn",        "for",    "forall",  "goto",   "if",     "import", "in",     "int",
       "interface", "loop",   "none",    "object", "or",     "param",  "pause",  "property",
       "rest",      "return", "self",    "stack",  "struct", "this",   "thread", "tick",
       "ticks",     "true",   "typedef", "u16",    "u32",    "u8",     "wait",   "weak",
       "while",     "yield"});
  return std::binary_search(kWords.begin(), kWords.end(), word);
}

bool begins_operand(std::string_view word) {
  static constexpr auto kFollowers =
      std::to_array<std::string_view>({"in", "where", "when", "of", "outside", "assuming", "fair",
                                       "for", "leads_to", "rounds", "recursion"});
  static constexpr auto kValues = std::to_array<std::string_view>(
      {"none", "NULL", "true", "false", "self", "this", "ticks", "u8", "u16", "u32", "int"});
  const auto is_one_of = [word](const auto& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  return is_one_of(kValues) || (!is_reserved(word) && !is_one_of(kFollowers));
}

}  // namespace txproof::lang
