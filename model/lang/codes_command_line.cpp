// TX06xx. A row: the code, a few words, and what it means with an example and the mend.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_command_line() {
  return {
      {"TX0601", "a file without a stack",
       "What is checked is a stack: the objects, the threads that run, the properties that must "
       "hold.\n"
       "\n"
       "    stack bonding {\n"
       "        sock udp { sk_sndbuf: 2 };\n"
       "        run udp_sender(udp, bond0);\n"
       "        check no_silent_loss;\n"
       "    }\n\n"
       "A file without one is made to be imported. Name the file that imports it.\n"},
      {"TX0602", "which stack",
       "The file has several stacks, or none of the name given. Choose one with --stack NAME.\n"},
      {"TX0603", "a parameter that the stack does not have",
       "--set NAME=VALUE fixes a 'param' of the stack. Parameters of objects are bound in the "
       "stack's text.\n"},
      {"TX0604", "a property that the stack does not check",
       "--property NAME takes a name that stands behind 'check' in the stack, or a built-in one: "
       "own.linear, range, lock, deadlock, assert.\n"},
      {"TX0605", "a memory model with coarse steps",
       "'memory tso;' and 'memory weak;' let stores be seen late. In coarse steps a whole call is "
       "one step, and nobody could look while a store waits:\n\n"
       "    stack s { memory tso; device d {}; run stop(d); check quiet; }\n\n"
       "Say 'interleave fine;' too, or give --interleave fine. --memory sc checks the stack "
       "without.\n"},
      {"TX0606", "a rate without time",
       "A rate is the worst ratio in the long run. Who must be quick is an 'urgent' thread, and "
       "what takes time stands at 'tick;'. Where a stack has neither, one thread may run for ever "
       "while the others never do, and the rate says little.\n"},
  };
}

}  // namespace txproof::lang
