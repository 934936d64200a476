#include "model/lang/parser.h"

#include "model/lang/frontend.h"

namespace txproof::lang {

std::unique_ptr<FileSyntax> parse_file(SourceSet& sources, FileId file, Diagnostics& diagnostics) {
  return Parser(sources, file, diagnostics).file();
}

ExprPtr parse_expression(SourceSet& sources, FileId file, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  ExprPtr result = Parser(sources, file, diagnostics).whole_expression();
  // A stray character may be all that is wrong: the parser has not seen it.
  return diagnostics.error_count() == before ? std::move(result) : nullptr;
}

}  // namespace txproof::lang
