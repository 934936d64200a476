// The parts of the table of codes, one file a range. A part that has no row yet returns nothing.
#pragma once

#include <vector>

#include "model/lang/diagnostic.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_files();         // TX00xx: files and tokens
std::vector<CodeInfo> codes_of_syntax();        // TX01xx: the parser
std::vector<CodeInfo> codes_of_names();         // TX02xx: names
std::vector<CodeInfo> codes_of_types();         // TX03xx: types
std::vector<CodeInfo> codes_of_elaboration();   // TX04xx: making a Program of a stack
std::vector<CodeInfo> codes_of_patches();       // TX05xx: patches
std::vector<CodeInfo> codes_of_command_line();  // TX06xx: the command line

}  // namespace txproof::lang
