#include "checker/smt/decode.h"

namespace txproof::checker::smt {

using program::Word;

Word word_of(const z3::model& model, const Value& value) {
  if (value.is_constant()) return value.constant();
  const z3::expr found = model.eval(value.term(), true);
  if (found.is_bool()) return found.is_true() ? 1 : 0;
  if (found.is_int()) {
    std::int64_t word = 0;
    if (!found.is_numeral_i64(word)) throw Refusal("a value beyond 64 bits");
    return word;
  }
  std::uint64_t bits = 0;
  if (!found.is_numeral_u64(bits)) throw Refusal("a bit vector that is no number");
  const unsigned width = found.get_sort().bv_size();
  const bool negative = (bits >> (width - 1) & 1U) != 0;
  if (negative && width < 64) bits |= ~std::uint64_t{0} << width;
  return static_cast<Word>(bits);
}

program::State state_of(const z3::model& model, const SymbolicState& state) {
  program::State result;
  result.reserve(state.size());
  for (const Value& value : state) result.push_back(word_of(model, value));
  return result;
}

bool is_true(const z3::model& model, const z3::expr& condition) {
  return model.eval(condition, true).is_true();
}

program::Move move_of(const z3::model& model, const Step& step) {
  program::Move move{step.thread, {}};
  for (const Choice& choice : step.choices) {
    if (!is_true(model, choice.met)) continue;
    move.choices.push_back(static_cast<std::uint32_t>(word_of(model, choice.recorded)));
  }
  return move;
}

}  // namespace txproof::checker::smt
