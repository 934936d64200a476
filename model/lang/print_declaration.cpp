#include <utility>

#include "model/lang/printer.h"

namespace txproof::lang {

// Variables of one declaration have the same full_span.
void Printer::add_variables(std::vector<Item>& list, const List<VarDecl>& variables_of_it,
                            const std::string& prefix) {
  for (std::size_t i = 0; i < variables_of_it.size();) {
    std::vector<const VarDecl*> group;
    const Span span = variables_of_it[i]->full_span;
    for (; i < variables_of_it.size() && variables_of_it[i]->full_span == span; ++i) {
      group.push_back(variables_of_it[i].get());
    }
    const bool is_param = group[0]->role == VarDecl::Role::param;
    const std::string before = is_param ? "param " : prefix;
    list.push_back(
        {span, false, [this, group, before] { lines_.line(before + variables(group) + ";"); }});
  }
}

std::string Printer::variables(const std::vector<const VarDecl*>& group) const {
  std::string result = expressions_.print(*group[0]->written_type) + " ";
  for (std::size_t i = 0; i < group.size(); ++i) {
    result += (i > 0 ? ", " : "") + declarator(*group[i]);
  }
  return result;
}

std::string Printer::declarator(const VarDecl& variable) const {
  std::string result = variable.name;
  if (!variable.owner_struct.empty()) result = variable.owner_struct + "." + result;
  if (variable.is_array) {
    result += "[" + (variable.array_size ? expressions_.print(*variable.array_size) : "") + "]";
  }
  if (variable.is_instance) {
    return variable.init ? result + " " + expressions_.bindings(*variable.init) : result;
  }
  if (variable.written_type->kind == TypeExpr::Kind::hook) {
    result += " in { ";
    const std::vector<std::string>& hooks = variable.written_type->hooks;
    for (std::size_t i = 0; i < hooks.size(); ++i) result += (i > 0 ? ", " : "") + hooks[i];
    result += " }";
  }
  result += expressions_.range(variable.lo, variable.hi);
  if (variable.init) result += " = " + expressions_.print(*variable.init);
  if (variable.ticks == VarDecl::Ticks::up) result += " ticks up";
  if (variable.ticks == VarDecl::Ticks::down) result += " ticks down";
  return result;
}

std::string Printer::parameters(const List<VarDecl>& list) const {
  std::string result = "(";
  for (const auto& parameter : list) {
    if (result.size() > 1) result += ", ";
    // The parameters of probes are names alone.
    if (parameter->written_type) {
      result +=
          expressions_.print(*parameter->written_type) + (parameter->by_reference ? " &" : " ");
    }
    result += parameter->name + expressions_.range(parameter->lo, parameter->hi);
  }
  return result + ")";
}

void Printer::declarations(std::vector<Item>& list) {
  for (std::size_t i = 0; i < file_.decls.size(); ++i) {
    const Decl& decl = *file_.decls[i];
    switch (decl.decl_kind) {
      case DeclKind::variable: {
        const auto& variable = static_cast<const VarDecl&>(decl);
        std::string text = "counter " + variable.name;
        if (variable.is_array) text += "[" + expressions_.print(*variable.array_size) + "]";
        if (variable.role == VarDecl::Role::constant) {
          text = "const " + variable.name + " = " + expressions_.print(*variable.init);
          while (i + 1 < file_.decls.size() && file_.decls[i + 1]->full_span == decl.full_span) {
            const auto& next = static_cast<const VarDecl&>(*file_.decls[++i]);
            text += ", " + next.name + " = " + expressions_.print(*next.init);
          }
        }
        list.push_back({decl.full_span, false, [this, text] { lines_.line(text + ";"); }});
        break;
      }
      case DeclKind::type: {
        const auto& declared = static_cast<const TypeDecl&>(decl);
        const bool small =
            declared.kind == TypeDecl::Kind::alias || declared.kind == TypeDecl::Kind::enumeration;
        list.push_back({decl.full_span, !small, [this, &declared] { type(declared); }});
        break;
      }
      case DeclKind::function:
        list.push_back(function_item(static_cast<const FunctionDecl&>(decl)));
        break;
      case DeclKind::property:
        list.push_back({decl.full_span, true,
                        [this, &decl] { property(static_cast<const PropertyDecl&>(decl)); }});
        break;
      case DeclKind::stack:
        list.push_back(
            {decl.full_span, true, [this, &decl] { stack(static_cast<const StackDecl&>(decl)); }});
        break;
      case DeclKind::enumerator:
        break;  // only inside an enum
    }
  }
}

void Printer::type(const TypeDecl& decl) {
  std::string header;
  switch (decl.kind) {
    case TypeDecl::Kind::alias:
      lines_.line("typedef " + expressions_.print(*decl.alias) + " " + decl.name +
                  expressions_.range(decl.alias_lo, decl.alias_hi) + ";");
      return;
    case TypeDecl::Kind::enumeration:
      return enumeration(decl);
    case TypeDecl::Kind::linear_struct:
      header = "linear struct " + decl.name;
      break;
    case TypeDecl::Kind::counted_struct:
      header = "counted struct " + decl.name;
      break;
    case TypeDecl::Kind::interface:
      header = "interface " + decl.name;
      break;
    case TypeDecl::Kind::object:
      header = "object " + decl.name;
      if (!decl.implements_name.empty()) header += " : " + decl.implements_name;
      break;
  }
  std::vector<Item> list;
  add_variables(list, decl.fields);
  for (const auto& method : decl.methods) {
    list.push_back(function_item(*method));
  }
  braced(header, std::move(list), decl.full_span);
}

void Printer::enumeration(const TypeDecl& decl) {
  const auto text = [&](const Enumerator& enumerator) {
    return enumerator.written_value
               ? enumerator.name + " = " + expressions_.print(*enumerator.written_value)
               : enumerator.name;
  };
  if (!lines_.has_comment(decl.full_span.begin, decl.full_span.end)) {
    std::string line = "enum " + decl.name + " {";
    for (std::size_t i = 0; i < decl.enumerators.size(); ++i) {
      line += (i > 0 ? ", " : " ") + text(*decl.enumerators[i]);
    }
    lines_.line(line + (decl.enumerators.empty() ? "}" : " }"));
    return;
  }
  std::vector<Item> list;
  for (const auto& enumerator : decl.enumerators) {
    list.push_back({enumerator->full_span, false,
                    [this, &enumerator, text] { lines_.line(text(*enumerator) + ","); }});
  }
  braced("enum " + decl.name, std::move(list), decl.full_span);
}

std::string Printer::function_header(const FunctionDecl& decl) const {
  std::string header = decl.is_thread ? "thread " : "fn ";
  if (decl.is_strong) header = "strong " + header;
  if (decl.is_urgent) header = "urgent " + header;
  header += decl.name + parameters(decl.parameters);
  if (decl.written_result) header += " : " + expressions_.print(*decl.written_result);
  if (decl.recursion) header += " recursion <= " + expressions_.print(*decl.recursion, 11);
  return header;
}

void Printer::function(const FunctionDecl& decl) {
  const std::string header = function_header(decl);
  if (!decl.has_body) return lines_.line(header + ";");
  definition(header, decl.body, decl.full_span);
}

// One that takes one line, declared or defined, stands close to its neighbours.
Printer::Item Printer::function_item(const FunctionDecl& decl) {
  const bool small =
      !decl.has_body || !one_line(function_header(decl), decl.body, decl.full_span).empty();
  return {decl.full_span, !small, [this, &decl] { function(decl); }};
}

}  // namespace txproof::lang
