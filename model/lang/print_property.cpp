#include <utility>

#include "model/lang/operators.h"
#include "model/lang/printer.h"

namespace txproof::lang {

namespace {

std::string qualified(const std::string& owner, const std::string& name) {
  return owner.empty() ? name : owner + "." + name;
}

}  // namespace

void Printer::property(const PropertyDecl& decl) {
  std::string header = "property " + decl.name;
  if (!decl.parameters.empty()) header += parameters(decl.parameters);
  std::vector<Item> list;
  add_ghosts(list, decl.ghosts);
  for (const auto& item : decl.claims) {
    list.push_back({item->span, false, [this, &item] { lines_.line(claim(*item) + ";"); }});
  }
  for (const auto& call : decl.per_calls) {
    list.push_back({call->span, false, [this, &call] { per_call(*call); }});
  }
  add_probes(list, decl.probes);
  if (decl.text.empty()) return braced(header, std::move(list), decl.full_span);
  lines_.line(header);
  lines_.indent();
  lines_.line(quote_string(decl.text));
  lines_.dedent();
  lines_.line("{");
  lines_.indent();
  lines_.opened();
  items(std::move(list), decl.full_span.end);
  lines_.dedent();
  lines_.line("}");
}

void Printer::add_ghosts(std::vector<Item>& list, const List<VarDecl>& ghosts) {
  for (std::size_t i = 0; i < ghosts.size();) {
    std::vector<const VarDecl*> group;
    const Span span = ghosts[i]->full_span;
    for (; i < ghosts.size() && ghosts[i]->full_span == span; ++i) group.push_back(ghosts[i].get());
    const std::string before = expressions_.written(span).starts_with("ghost ") ? "ghost " : "";
    list.push_back(
        {span, false, [this, group, before] { lines_.line(before + variables(group) + ";"); }});
  }
}

void Printer::add_probes(std::vector<Item>& list, const List<Probe>& probes) {
  for (const auto& item : probes) {
    list.push_back({item->span, false, [this, &item] { probe(*item); }});
  }
}

std::string Printer::claim(const Claim& claim) const {
  const auto print = [&](const ExprPtr& expr, int level = 0) {
    return expressions_.print(*expr, level);
  };
  std::string result;
  switch (claim.kind) {
    case Claim::Kind::always:
      result = "always " + print(claim.left);
      for (std::size_t i = 0; i < claim.outside.size(); ++i) {
        result += (i > 0 ? ", " : " outside ") + claim.outside[i];
      }
      break;
    case Claim::Kind::at_rest:
      result = "at rest " + print(claim.left);
      break;
    case Claim::Kind::maximum:
      result = "maximum " + print(claim.left, kAdditive) + " <= " + print(claim.right);
      break;
    case Claim::Kind::leads_to:
      result = print(claim.left) + " leads_to " + print(claim.right);
      if (claim.assuming) result += " assuming infinitely_often " + print(claim.assuming);
      break;
    case Claim::Kind::infinitely_often:
      result = "infinitely_often " + print(claim.left);
      break;
    case Claim::Kind::rate:
      result = "rate " + print(claim.left, kPostfix) + " / " + print(claim.right, kPostfix) +
               (claim.at_least ? " >= " : " <= ") + print(claim.bound_numerator, kUnary);
      if (claim.bound_denominator) result += " / " + print(claim.bound_denominator, kUnary);
      break;
  }
  return result;
}

void Printer::probe(const Probe& probe) {
  std::string header;
  switch (probe.event) {
    case Probe::Event::entry:
      header = "on entry " + qualified(probe.owner_name, probe.name);
      break;
    case Probe::Event::return_:
      header = "on return";
      if (probe.result) header += " " + probe.result->name;
      if (!probe.name.empty()) header += " of " + qualified(probe.owner_name, probe.name);
      break;
    case Probe::Event::new_:
      header = "on new " + probe.name;
      break;
    case Probe::Event::destroy:
      header = "on destroy " + probe.name;
      break;
  }
  if (probe.has_parameters) header += parameters(probe.parameters);
  if (probe.when) header += " when " + expressions_.print(*probe.when);
  definition(header, probe.body, probe.span);
}

void Printer::per_call(const PerCall& call) {
  std::string header = "per call " + qualified(call.owner_name, call.name);
  if (call.has_parameters) header += parameters(call.parameters);
  std::vector<Item> list;
  add_ghosts(list, call.ghosts);
  add_probes(list, call.probes);
  braced(header, std::move(list), call.span);
}

}  // namespace txproof::lang
