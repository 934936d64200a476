#include "checker/export/promela_statement.h"

#include "checker/export/refusal.h"

namespace txproof::checker::exporting {

using namespace program;

namespace {

std::string num(std::uint64_t value) { return std::to_string(value); }

std::string replaced(std::string text, const std::string& name, const std::string& by) {
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + by.size())) {
    text.replace(at, name.size(), by);
  }
  return text;
}

std::string assign(const Term& slot, const std::string& value) {
  return PromelaExpressions::at(slot) + " = " + value + "; ";
}

}  // namespace

std::string PromelaStatements::handles(const std::string& from, const std::string& words,
                                       const std::string& then) const {
  std::string text;
  for (StructId id = 0; id < program_.structs.size(); ++id) {
    const Struct& structure = program_.structs[id];
    if (structure.counted || structure.places.empty()) continue;
    for (const SlotId handle : structure.handles) {
      const std::string slot = "S[" + num(handle) + "]";
      const std::string base = "B" + num(id) + "[" + slot + " - 2]";
      text += "if :: (" + slot + " >= 2 -> (" + base + " >= " + from + " && " + base + " < " +
              from + " + " + words + ") : 0) -> " +
              replaced(replaced(then, "HANDLE", slot), "BASE", base) + " :: else fi; ";
    }
  }
  return text;
}

std::string PromelaStatements::definitions() const {
  const std::string moved = handles("a_", "n_", "HANDLE = 2 + P[BASE - a_ + b_]");
  const std::string gone = handles("a_", "n_", "HANDLE = 1");
  const std::string swapped =
      handles("a_", "n_ + n_",
              "if :: BASE < b_ -> HANDLE = 2 + P[BASE + n_] :: else -> HANDLE = 2 + P[BASE - n_] "
              "fi");
  return "/* n_ words from a_ to b_; handles follow. */\n"
         "inline move_block() {\n"
         "  d_step { if :: (a_ != b_ && n_ > 0) ->\n"
         "    i_ = 0; do :: i_ < n_ -> W[i_] = S[a_ + i_]; S[a_ + i_] = 0; i_++ :: else -> break "
         "od;\n"
         "    i_ = 0; do :: i_ < n_ -> S[b_ + i_] = W[i_]; W[i_] = 0; i_++ :: else -> break od; i_ "
         "= "
         "0;\n    " +
         moved +
         "skip\n  :: else fi }\n}\n"
         "/* n_ words from a_ end; handles to them dangle. */\n"
         "inline erase_block() {\n"
         "  d_step { i_ = 0; do :: i_ < n_ -> S[a_ + i_] = 0; i_++ :: else -> break od; i_ = 0; " +
         gone +
         "skip }\n}\n"
         "/* n_ words at a_ change places with those behind them, at b_. */\n"
         "inline swap_blocks() {\n"
         "  d_step { i_ = 0; do :: i_ < n_ -> w_ = S[a_ + i_]; S[a_ + i_] = S[b_ + i_]; S[b_ + i_] "
         "= "
         "w_; i_++ :: else -> break od; i_ = 0; w_ = 0; " +
         swapped +
         "skip }\n}\n"
         "/* o_: the n_ words at b_ come before those at a_. */\n"
         "inline compare_blocks() {\n"
         "  d_step { o_ = 0; i_ = 0; do :: (i_ < n_ -> S[a_ + i_] == S[b_ + i_] : 0) -> i_++ :: "
         "else "
         "-> break od; if :: i_ < n_ -> o_ = (S[b_ + i_] < S[a_ + i_]) :: else fi; i_ = 0 }\n}\n";
}

std::string PromelaStatements::move(StructId structure, const Term& source, const Term& target,
                                    unsigned leave) const {
  const Struct& type = program_.structs[structure];
  const std::string left = num(leave);
  if (type.counted) {
    return "w_ = " + PromelaExpressions::at(source) + "; " + assign(target, "w_") +
           assign(source, left) + "w_ = 0; ";
  }
  // Where both are is found out before anything moves.
  return "s_ = " + source.text + "; a_ = s_; b_ = " + target.text + "; n_ = " + num(type.words) +
         "; move_block(); S[s_] = " + left + "; ";
}

std::string PromelaStatements::create(const Stmt& stmt) const {
  const Term place = expressions_.slot(stmt.target);
  if (!program_.structs[stmt.structure].counted) return assign(place, "1");
  std::string text = "s_ = " + place.text + "; if ";
  std::string taken = "1";
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != stmt.structure) continue;
    for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
      const std::string live = "S[" + num(cells.first + cell * cells.stride) + "]";
      text += ":: (" + taken + " && " + live + " == 0) -> " + live +
              " = 1; S[s_] = " + num(2 + cell) + " ";
      taken += " && " + live + " != 0";
    }
  }
  return text + "fi; ";
}

std::string PromelaStatements::destroy(const Stmt& stmt) const {
  const Struct& structure = program_.structs[stmt.structure];
  const Term place = expressions_.slot(stmt.source);
  const std::string leave = num(stmt.leave);
  if (!structure.counted) {
    return "s_ = " + place.text + "; a_ = s_; n_ = " + num(structure.words) +
           "; erase_block(); S[s_] = " + leave + "; ";
  }
  std::string text = "s_ = " + place.text + "; w_ = S[s_]; S[s_] = " + leave + "; if :: (0";
  for (const Place& other : structure.places) text += " || S[" + num(other.base) + "] == w_";
  text += ") -> skip :: else -> ";
  for (const SlotId handle : structure.handles) {
    const std::string slot = "S[" + num(handle) + "]";
    text += "if :: " + slot + " == w_ -> " + slot + " = 1 :: else fi; ";
  }
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != stmt.structure) continue;
    text += "a_ = " + num(cells.first) + " + (w_ - 2) * " + num(cells.stride) +
            "; n_ = " + num(cells.stride) + "; erase_block() ";
  }
  return text + "fi; w_ = 0; ";
}

std::string PromelaStatements::insert(const Stmt& stmt) const {
  const Container& container = program_.containers[stmt.container];
  const std::string length = expressions_.slot(container.addr).text;
  std::string text = "l_ = " + length + "; c_ = S[l_]; p_ = ";
  text += stmt.value == no_id ? "c_" : expressions_.value(stmt.value).text;
  text += "; e_ = l_ + 1 + p_ * " + num(container.stride) + "; ";
  if (stmt.element != no_id) text += "v_ = " + expressions_.value(stmt.element).text + "; ";
  if (stmt.source != no_id) text += "v_ = " + expressions_.slot(stmt.source).text + "; ";
  text += "a_ = e_; b_ = e_ + " + num(container.stride) + "; n_ = (c_ - p_) * " +
          num(container.stride) + "; move_block(); ";
  if (container.structure == no_id) {
    text += "S[e_] = v_; ";
  } else {
    text += move(container.structure, {"v_", std::nullopt}, {"e_", std::nullopt}, stmt.leave);
  }
  text += "S[l_] = c_ + 1; ";
  if (container.sorted) text += canonical();
  return text;
}

std::string PromelaStatements::remove(const Stmt& stmt) const {
  const Container& container = program_.containers[stmt.container];
  std::string text = "l_ = " + expressions_.slot(container.addr).text +
                     "; c_ = S[l_]; p_ = " + expressions_.value(stmt.value).text +
                     "; e_ = l_ + 1 + p_ * " + num(container.stride) + "; ";
  if (stmt.target != no_id) text += "v_ = " + expressions_.slot(stmt.target).text + "; ";
  if (container.structure != no_id) {
    text += move(container.structure, {"e_", std::nullopt}, {"v_", std::nullopt}, 0);
  } else {
    if (stmt.target != no_id) text += "S[v_] = S[e_]; ";
    text += "S[e_] = 0; ";
  }
  return text + "a_ = e_ + " + num(container.stride) + "; b_ = e_; n_ = (c_ - p_ - 1) * " +
         num(container.stride) + "; move_block(); S[l_] = c_ - 1; ";
}

std::string PromelaStatements::splice(const Stmt& stmt) const {
  const Container& from = program_.containers[stmt.container];
  const Container& to = program_.containers[stmt.container2];
  std::string text =
      "l_ = " + expressions_.slot(from.addr).text + "; e_ = " + expressions_.slot(to.addr).text +
      "; c_ = S[l_]; p_ = S[e_]; a_ = l_ + 1; b_ = e_ + 1 + p_ * " + num(to.stride) +
      "; n_ = c_ * " + num(from.stride) + "; move_block(); S[l_] = 0; S[e_] = p_ + c_; ";
  if (to.sorted) text += canonical();
  return text;
}

std::string PromelaStatements::pick(const Stmt& stmt) const {
  const Expr& lo = program_.exprs[stmt.value];
  const Expr& hi = program_.exprs[stmt.value2];
  constexpr Word most = 4096;
  if (hi.range.hi - lo.range.lo > most) throw Refusal("a choice among more than 4096 values");
  const std::string target = expressions_.slot(stmt.target).text;
  const std::string low = expressions_.value(stmt.value).text;
  const std::string high = expressions_.value(stmt.value2).text;
  std::string text = "s_ = " + target + "; if ";
  for (Word v = lo.range.lo; v <= hi.range.hi; ++v) {
    const std::string value = PromelaExpressions::number(v).text;
    text += ":: (" + low + " <= " + value + " && " + value + " <= " + high +
            ") -> S[s_] = " + value + " ";
  }
  return text + "fi; ";
}

std::string PromelaStatements::pick_element(const Stmt& stmt) const {
  const Container& container = program_.containers[stmt.container];
  const Term length = expressions_.slot(container.addr);
  std::string text = "s_ = " + expressions_.slot(stmt.target).text + "; if ";
  for (std::uint32_t i = 0; i < container.capacity; ++i) {
    const Term element = PromelaExpressions::plus(
        length, PromelaExpressions::number(1 + Word{i} * container.stride));
    Cursors cursors;
    cursors[stmt.aggregate] = expressions_.element_cursor(container.structure, element);
    text += ":: (" + PromelaExpressions::at(length) + " > " + num(i) + " && " +
            expressions_.truth(stmt.value2, cursors) + ") -> S[s_] = " + num(i) + " ";
  }
  return text + "fi; ";
}

std::string PromelaStatements::statement(const Stmt& stmt, const std::string& failed) const {
  switch (stmt.kind) {
    case StmtKind::assign:
      return "v_ = " + expressions_.value(stmt.value).text + "; " +
             assign(expressions_.slot(stmt.target), "v_");
    case StmtKind::check: {
      const std::string fault = num(1 + program_.violations[stmt.violation].property);
      return "if :: " + expressions_.truth(stmt.value) + " -> skip :: else -> fault = " + fault +
             "; assert(fault != " + fault + ")" + (stmt.fatal ? "; goto " + failed : "") + " fi; ";
    }
    case StmtKind::create:
      return create(stmt);
    case StmtKind::move:
      return move(stmt.structure, expressions_.slot(stmt.source), expressions_.slot(stmt.target),
                  stmt.leave);
    case StmtKind::duplicate: {
      const std::string words = num(program_.structs[stmt.structure].words);
      return "a_ = " + expressions_.slot(stmt.source).text +
             "; b_ = " + expressions_.slot(stmt.target).text + "; d_step { i_ = 0; do :: i_ < " +
             words + " -> S[b_ + i_] = S[a_ + i_]; i_++ :: else -> break od; i_ = 0 }; ";
    }
    case StmtKind::share: {
      const std::string reference = stmt.source != no_id
                                        ? PromelaExpressions::at(expressions_.slot(stmt.source))
                                        : expressions_.value(stmt.value).text;
      return "v_ = " + reference + "; " + assign(expressions_.slot(stmt.target), "v_");
    }
    case StmtKind::destroy:
      return destroy(stmt);
    case StmtKind::clear_tag:
      return assign(expressions_.slot(stmt.target), "0");
    case StmtKind::insert:
      return insert(stmt);
    case StmtKind::remove:
      return remove(stmt);
    case StmtKind::splice:
      return splice(stmt);
    case StmtKind::clear: {
      const Container& container = program_.containers[stmt.container];
      return "a_ = " + expressions_.slot(container.addr).text +
             "; n_ = " + num(1 + container.capacity * container.stride) + "; erase_block(); ";
    }
    case StmtKind::pick:
      return pick(stmt);
    case StmtKind::pick_element:
      return pick_element(stmt);
    case StmtKind::witness:
    case StmtKind::count:
    case StmtKind::enter:
    case StmtKind::leave:
      return "";
  }
  return "";
}

// Insertion sort by neighbours, which is stable, as the Program's is.
std::string PromelaStatements::sorted(const Bag& bag) const {
  const std::string stride = num(bag.stride);
  const std::string length = "S[" + num(bag.length) + "]";
  const std::string first = num(bag.length + 1);
  return "q_ = 1; do :: q_ < " + length + " -> r_ = q_; do :: r_ > 0 -> a_ = " + first +
         " + (r_ - 1) * " + stride + "; b_ = a_ + " + stride + "; n_ = " + stride +
         "; compare_blocks(); if :: o_ -> swap_blocks(); r_ = r_ - 1 :: else -> r_ = 0 fi :: else "
         "-> break od; q_++ :: else -> break od; ";
}

std::string PromelaStatements::renumbered(const CellTable& cells) const {
  const Struct& structure = program_.structs[cells.structure];
  std::string text = "q_ = 2; ";
  // Each place in turn: a cell that was not met before becomes the next one.
  for (const Place& place : structure.places) {
    const std::string tag = "S[" + num(place.base) + "]";
    std::string renamed;
    std::vector<SlotId> references;
    for (const Place& other : structure.places) references.push_back(other.base);
    references.insert(references.end(), structure.handles.begin(), structure.handles.end());
    for (const SlotId slot : references) {
      const std::string other = "S[" + num(slot) + "]";
      renamed += "if :: " + other + " == r_ -> " + other + " = q_ :: " + other + " == q_ -> " +
                 other + " = r_ :: else fi; ";
    }
    std::string swapped;
    for (std::uint32_t i = 0; i < cells.stride; ++i) {
      const std::string mine =
          "S[" + num(cells.first + i) + " + (r_ - 2) * " + num(cells.stride) + "]";
      const std::string next =
          "S[" + num(cells.first + i) + " + (q_ - 2) * " + num(cells.stride) + "]";
      swapped += "w_ = " + mine + "; " + mine + " = " + next + "; " + next + " = w_; ";
    }
    text += "if :: " + tag + " >= q_ -> r_ = " + tag + "; if :: r_ > q_ -> " + swapped + renamed +
            "skip :: else fi; q_++ :: else fi; ";
  }
  return text;
}

std::string PromelaStatements::canonical() const {
  if (program_.bags.empty() && program_.cells.empty()) return "";
  std::string text;
  for (const Bag& bag : program_.bags) text += sorted(bag);
  for (const CellTable& cells : program_.cells) text += renumbered(cells);
  return "d_step { " + text + "q_ = 0; r_ = 0; o_ = 0; w_ = 0 }; ";
}

}  // namespace txproof::checker::exporting
