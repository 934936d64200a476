#include "model/lang/printer.h"

#include <algorithm>
#include <utility>

#include "model/lang/frontend.h"

namespace txproof::lang {

namespace {

std::vector<Comment> comments_of(const SourceSet& sources, FileId file) {
  Diagnostics ignored;  // the parser has reported them
  return tokenise(sources, file, ignored).comments;
}

}  // namespace

Printer::Printer(const SourceSet& sources, const FileSyntax& file)
    : file_(file),
      source_(sources.file(file.file).text),
      expressions_(source_),
      lines_(source_, comments_of(sources, file.file)) {}

std::string Printer::print() {
  std::vector<Item> list;
  for (const Import& import : file_.imports) {
    list.push_back({import.span, false,
                    [this, &import] { lines_.line("import " + quote_string(import.path) + ";"); }});
  }
  declarations(list);
  items(std::move(list), static_cast<std::uint32_t>(source_.size()));
  return lines_.finish();
}

void Printer::items(std::vector<Item> list, std::uint32_t close) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Item& a, const Item& b) { return a.span.begin < b.span.begin; });
  bool after_large = false;
  bool first = true;
  for (const Item& item : list) {
    lines_.before_item(item.span.begin, !first && (after_large || item.is_large));
    item.print();
    after_large = item.is_large;
    first = false;
  }
  lines_.before_close(close);
}

void Printer::braced(const std::string& header, std::vector<Item> list, Span span) {
  if (list.empty() && !lines_.has_comment(span.begin, span.end)) {
    lines_.line(header + " {}");
    return;
  }
  lines_.line(header + " {");
  lines_.indent();
  lines_.opened();
  items(std::move(list), span.end);
  lines_.dedent();
  lines_.line("}");
}

std::string print_file(const SourceSet& sources, const FileSyntax& file) {
  return Printer(sources, file).print();
}

}  // namespace txproof::lang
