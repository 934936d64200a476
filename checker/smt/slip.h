// Wrong translations, one for each idea that a translation can get wrong. They exist so that the
// tests of the encoder can show that they would notice; no engine ever sets one.
#pragma once

#include <cstdint>

namespace txproof::checker::smt {

enum class Slip : std::uint8_t {
  insert_forgets_length,
  insert_at_head_does_not_shift,
  remove_does_not_shift,
  move_leaves_handles,
  erase_leaves_handles,
  bag_is_not_sorted,
  bag_sorts_descending,
  cells_keep_their_numbers,
  destroy_ends_shared_cell,
  leave_tag_is_ignored,
  division_rounds_down,
  residue_has_sign,
  store_ignores_index,
  empty_places_count,
  forall_is_exists,
  minimum_ignores_first,
  guards_are_ignored,
  pick_misses_last,
  pick_element_takes_any,
  lock_never_stops,
  weak_check_ends_step,
  fatal_check_goes_on,
  locals_survive,
  join_takes_one_side,
  urgent_threads_let_time_pass,
  clocks_do_not_stop,
  clocks_run_in_empty_places,
  rest_ignores_time,
  pause_is_no_rest,
  any_place_is_a_wait,
};

constexpr Slip last_slip = Slip::any_place_is_a_wait;

}  // namespace txproof::checker::smt
