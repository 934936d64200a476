// How values are written for people.
#pragma once

#include <string>

#include "model/program/program.h"

namespace txproof::program {

// "NETDEV_TX_BUSY", "udp[0]", "true"; a value without a name, or with no display, as a number.
std::string display_value(const Program& program, DisplayId display, Word value);

// Whether `value` has a name in `display`.
bool has_name(const Program& program, DisplayId display, Word value);

// The thread's name; the second of the same name is "cpu(q0) #2".
std::string thread_label(const Program& program, ThreadId thread);

// The slot's name, with its thread where it is a local: "cpu(q0) #2: skb.len". Two locals of the
// same name in one thread share it.
std::string slot_label(const Program& program, SlotId slot);

}  // namespace txproof::program
