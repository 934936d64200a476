#include "checker/export/promela_expression.h"

#include <cstdint>
#include <limits>

#include "checker/export/refusal.h"

namespace txproof::checker::exporting {

using namespace program;

namespace {

constexpr std::size_t longest = 1U << 16U;  // of an expression, in characters

bool fits(const Range& range) {
  return range.lo >= std::numeric_limits<std::int32_t>::min() &&
         range.hi <= std::numeric_limits<std::int32_t>::max();
}

std::string parens(const std::string& text) { return "(" + text + ")"; }

const char* operator_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::add:
      return " + ";
    case ExprKind::subtract:
      return " - ";
    case ExprKind::multiply:
      return " * ";
    case ExprKind::divide:
      return " / ";
    case ExprKind::modulo:
      return " % ";
    case ExprKind::bit_and:
      return " & ";
    case ExprKind::bit_or:
      return " | ";
    case ExprKind::bit_xor:
      return " ^ ";
    case ExprKind::shift_left:
      return " << ";
    case ExprKind::shift_right:
      return " >> ";
    case ExprKind::less:
      return " < ";
    case ExprKind::less_equal:
      return " <= ";
    case ExprKind::equal:
      return " == ";
    case ExprKind::not_equal:
      return " != ";
    default:
      return nullptr;
  }
}

}  // namespace

Term PromelaExpressions::number(Word value) {
  if (!fits({value, value})) throw Refusal("a number goes beyond 32 bits");
  return {value < 0 ? parens(std::to_string(value)) : std::to_string(value), value};
}

Term PromelaExpressions::plus(const Term& a, const Term& b) {
  if (a.constant && b.constant) return number(*a.constant + *b.constant);
  if (a.constant && *a.constant == 0) return b;
  if (b.constant && *b.constant == 0) return a;
  return {parens(a.text + " + " + b.text), std::nullopt};
}

Term PromelaExpressions::times(const Term& a, Word factor) {
  if (a.constant) return number(*a.constant * factor);
  if (factor == 1) return a;
  return {parens(a.text + " * " + std::to_string(factor)), std::nullopt};
}

std::string PromelaExpressions::truth(ExprId id, const Cursors& cursors) const {
  if (id == no_id) return "1";
  return parens(value(id, cursors).text + " != 0");
}

Term PromelaExpressions::binary(const Expr& e, const Cursors& cursors) const {
  const Term a = value(e.a, cursors);
  const Term b = value(e.b, cursors);
  if (e.kind == ExprKind::minimum || e.kind == ExprKind::maximum) {
    const char* order = e.kind == ExprKind::minimum ? " <= " : " >= ";
    return {parens(a.text + order + b.text + " -> " + a.text + " : " + b.text), std::nullopt};
  }
  if (e.kind == ExprKind::divide || e.kind == ExprKind::modulo) {
    // What is divided by zero is checked before; in what is evaluated besides, it is 0.
    if (!b.constant || *b.constant == 0) {
      return {parens(b.text + " == 0 -> 0 : " + parens(a.text + operator_of(e.kind) + b.text)),
              std::nullopt};
    }
  }
  if (e.kind == ExprKind::shift_left || e.kind == ExprKind::shift_right) {
    const Range by = program_.exprs[e.b].range;
    if (by.lo < 0 || by.hi > 31) throw Refusal("a shift by more than 31");
  }
  const char* op = operator_of(e.kind);
  if (op == nullptr) throw Refusal("an operator that Promela lacks");
  return {parens(a.text + op + b.text), std::nullopt};
}

Term PromelaExpressions::value(ExprId id, const Cursors& cursors) const {
  const Expr& e = program_.exprs[id];
  Term result;
  switch (e.kind) {
    case ExprKind::constant:
      return number(e.value);
    case ExprKind::load:
      result.text = at(slot(e.addr, cursors));
      break;
    case ExprKind::negate:
      result.text = "(0 - " + value(e.a, cursors).text + ")";
      break;
    case ExprKind::bit_not:
      result.text = "(~" + value(e.a, cursors).text + ")";
      break;
    case ExprKind::logical_not:
      result.text = parens(value(e.a, cursors).text + " == 0");
      break;
    case ExprKind::logical_and:
      result.text = parens(truth(e.a, cursors) + " && " + truth(e.b, cursors));
      break;
    case ExprKind::logical_or:
      result.text = parens(truth(e.a, cursors) + " || " + truth(e.b, cursors));
      break;
    case ExprKind::conditional:
      result.text = parens(truth(e.a, cursors) + " -> " + value(e.b, cursors).text + " : " +
                           value(e.c, cursors).text);
      break;
    case ExprKind::wrap: {
      const std::string modulus = number(e.value).text;
      result.text = "(((" + value(e.a, cursors).text + " % " + modulus + ") + " + modulus + ") % " +
                    modulus + ")";
      break;
    }
    case ExprKind::table:
      result.text = "T" + std::to_string(e.value) + "[" + value(e.a, cursors).text + "]";
      break;
    case ExprKind::aggregate:
      result = aggregate(static_cast<AggregateId>(e.value), cursors);
      break;
    case ExprKind::cursor:
      return cursors.at(static_cast<AggregateId>(e.value));
    case ExprKind::place_id: {
      const Term place = slot(e.addr, cursors);
      if (program_.structs[e.structure].counted) {
        result.text = parens(at(place) + " >= 2 -> " + at(place) + " : 0");
      } else if (place.constant) {
        const auto id_of = program_.place_at[static_cast<std::size_t>(*place.constant)];
        result.text = parens(at(place) + " == 1 -> " + std::to_string(2 + id_of) + " : 0");
      } else {
        result.text = parens(at(place) + " == 1 -> (2 + P[" + place.text + "]) : 0");
      }
      break;
    }
    default:
      result = binary(e, cursors);
      break;
  }
  // The sum of an aggregate is given a range that counts more elements than there can be.
  if (e.kind != ExprKind::aggregate && !fits(e.range)) {
    bool sums = false;
    for (const ExprId part : {e.a, e.b, e.c}) {
      sums = sums || (part != no_id && !fits(program_.exprs[part].range));
    }
    if (!sums) throw Refusal("an expression can go beyond 32 bits");
  }
  if (result.text.size() > longest) throw Refusal("an expression is too long, written out");
  return result;
}

Term PromelaExpressions::slot(AddrId id, const Cursors& cursors) const {
  const Address& addr = program_.addresses[id];
  Term result = number(addr.base);
  for (const Index& index : addr.indices) {
    result = plus(result, times(value(index.index, cursors), index.stride));
  }
  if (addr.absolute != no_id) result = plus(result, value(addr.absolute, cursors));
  if (addr.handle == no_id) return result;
  const Term handle = value(addr.handle, cursors);
  const Struct& structure = program_.structs[addr.handle_struct];
  if (!structure.counted) {
    if (handle.constant) {
      const auto place = static_cast<std::size_t>(*handle.constant - 2);
      return plus(result, number(structure.places[place].base));
    }
    return plus(result, {"B" + std::to_string(addr.handle_struct) + "[" + handle.text + " - 2]",
                         std::nullopt});
  }
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != addr.handle_struct) continue;
    const Term cell = plus(handle, number(-2));
    return plus(plus(result, number(cells.first)), times(cell, cells.stride));
  }
  throw Refusal("a counted struct without cells");
}

Term PromelaExpressions::element_cursor(StructId structure, const Term& element) const {
  if (structure == no_id) return element;
  if (program_.structs[structure].counted) return {at(element), std::nullopt};
  if (element.constant) {
    return number(2 + program_.place_at[static_cast<std::size_t>(*element.constant)]);
  }
  return {"(2 + P[" + element.text + "])", std::nullopt};
}

void PromelaExpressions::elements(const Span& span, const Cursors& cursors,
                                  std::vector<Element>& into) const {
  switch (span.kind) {
    case Span::Kind::places:
      for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
        const Struct& structure = program_.structs[span.structure];
        const std::string tag = at(number(structure.places[i].base));
        if (structure.counted) {
          into.push_back({tag + " >= 2", {tag, std::nullopt}});
        } else {
          into.push_back({tag + " == 1", number(2 + Word{i})});
        }
      }
      break;
    case Span::Kind::cells:
      for (const CellTable& cells : program_.cells) {
        if (cells.structure != span.structure) continue;
        for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
          into.push_back(
              {at(number(cells.first + cell * cells.stride)) + " != 0", number(2 + Word{cell})});
        }
      }
      break;
    case Span::Kind::container: {
      const Term length = slot(span.addr, cursors);
      for (std::uint32_t i = 0; i < span.count; ++i) {
        const Term element = plus(length, number(1 + Word{i} * span.stride));
        into.push_back(
            {at(length) + " > " + std::to_string(i), element_cursor(span.structure, element)});
      }
      break;
    }
    case Span::Kind::array: {
      const Term first = slot(span.addr, cursors);
      for (std::uint32_t i = 0; i < span.count; ++i) {
        into.push_back({"", plus(first, number(Word{i} * span.stride))});
      }
      break;
    }
    case Span::Kind::range:
      for (std::uint32_t i = 0; i < span.count; ++i) {
        into.push_back({"", number(span.range_first + Word{i})});
      }
      break;
  }
}

// The first least (greatest) of the values whose condition holds, written without a variable.
std::string PromelaExpressions::extremum(const Aggregate& a,
                                         const std::vector<std::pair<std::string, std::string>>& of,
                                         bool least) const {
  std::string result;
  std::string none = "1";
  std::size_t size = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::string wins = parens(of[i].first);
    for (std::size_t j = 0; j < of.size(); ++j) {
      if (i == j) continue;
      // Of equal ones the first wins.
      const char* order = j < i ? (least ? " > " : " < ") : (least ? " >= " : " <= ");
      wins += " && (!(" + of[j].first + ") || " + of[j].second + order + of[i].second + ")";
    }
    result += (result.empty() ? "" : " + ") + parens(wins + " -> " + of[i].second + " : 0");
    none += " && !(" + of[i].first + ")";
    size += wins.size();
    if (size > longest) throw Refusal("a min or max is too long, written out");
  }
  const std::string empty = parens(none + " -> " + number(a.empty).text + " : 0");
  return parens(result.empty() ? empty : result + " + " + empty);
}

Term PromelaExpressions::aggregate(AggregateId id, const Cursors& cursors) const {
  const Aggregate& a = program_.aggregates[id];
  std::vector<Element> all;
  for (const Span& span : a.spans) elements(span, cursors, all);
  std::vector<std::pair<std::string, std::string>> of;  // condition, value
  std::size_t size = 0;
  if (a.kind == AggregateKind::sum && a.body != no_id) {
    const Range one = program_.exprs[a.body].range;
    const auto count = static_cast<Word>(all.size());
    if (fits(one) && !fits({one.lo * count, one.hi * count})) {
      throw Refusal("a sum can go beyond 32 bits");
    }
  }
  for (const Element& element : all) {
    Cursors inner = cursors;
    inner[a.cursor_of != no_id ? a.cursor_of : id] = element.cursor;
    std::string there = element.there.empty() ? "1" : element.there;
    if (a.where != no_id) there = parens(there) + " && " + truth(a.where, inner);
    of.emplace_back(there, a.body == no_id ? "1" : value(a.body, inner).text);
    size += of.back().first.size() + of.back().second.size();
    if (size > longest) throw Refusal("an aggregate is too long, written out");
  }
  std::string text;
  const auto join = [&](const char* op, const std::string& part) {
    text += (text.empty() ? "" : op) + part;
  };
  switch (a.kind) {
    case AggregateKind::sum:
    case AggregateKind::count:
      for (const auto& [there, term] : of) join(" + ", parens(there + " -> " + term + " : 0"));
      if (text.empty()) text = "0";
      break;
    case AggregateKind::forall:
      for (const auto& [there, term] : of) join(" && ", "(!(" + there + ") || " + term + " != 0)");
      if (text.empty()) text = "1";
      break;
    case AggregateKind::exists:
      for (const auto& [there, term] : of) join(" || ", parens(there + " && " + term + " != 0"));
      if (text.empty()) text = "0";
      break;
    case AggregateKind::minimum:
    case AggregateKind::maximum:
      text = extremum(a, of, a.kind == AggregateKind::minimum);
      break;
  }
  return {parens(text), std::nullopt};
}

}  // namespace txproof::checker::exporting
