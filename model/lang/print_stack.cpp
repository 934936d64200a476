#include <utility>

#include "model/lang/operators.h"
#include "model/lang/printer.h"

namespace txproof::lang {

void Printer::stack(const StackDecl& decl) {
  std::vector<Item> list;
  add_variables(list, decl.params);
  add_variables(list, decl.instances);
  for (const auto& item : decl.runs) {
    list.push_back({item->span, false, [this, &item] { lines_.line(run(*item) + ";"); }});
  }
  add_checks(list, decl);
  for (std::size_t i = 0; i < decl.assumptions.size(); ++i) {
    list.push_back({decl.assumption_spans[i], false, [this, &decl, i] {
                      lines_.line("assume " + expressions_.print(*decl.assumptions[i]) + ";");
                    }});
  }
  if (!decl.interleave.empty()) {
    list.push_back({decl.interleave_span, false,
                    [this, &decl] { lines_.line("interleave " + decl.interleave + ";"); }});
  }
  if (!decl.memory.empty()) {
    list.push_back(
        {decl.memory_span, false, [this, &decl] { lines_.line("memory " + decl.memory + ";"); }});
  }
  if (decl.store_buffer != 0) {
    list.push_back({decl.store_buffer_span, false, [this, &decl] {
                      lines_.line("store_buffer " + std::to_string(decl.store_buffer) + ";");
                    }});
  }
  braced("stack " + decl.name, std::move(list), decl.full_span);
}

void Printer::add_checks(std::vector<Item>& list, const StackDecl& decl) {
  for (std::size_t i = 0; i < decl.checks.size();) {
    const Span span = decl.checks[i]->span;
    std::string text;
    do {
      const CheckItem& item = *decl.checks[i++];
      text += (text.empty() ? "check " : ", ") + item.name;
      if (!item.args.empty()) text += expressions_.arguments(item.args, 0);
    } while (i < decl.checks.size() && decl.checks[i]->continues);
    list.push_back({span, false, [this, text] { lines_.line(text + ";"); }});
  }
}

std::string Printer::run(const RunItem& run) const {
  std::string result = "run " + run.name + expressions_.arguments(run.args, 0);
  if (run.binder) {
    result += " for " + run.binder->name + " in " + expressions_.print(*run.lo, kAdditive) + ".." +
              expressions_.print(*run.hi, kAdditive);
  }
  if (run.when) result += " when " + expressions_.print(*run.when);
  return result;
}

}  // namespace txproof::lang
