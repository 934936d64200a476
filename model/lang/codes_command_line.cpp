// TX06xx. A row: the code, a few words, and what it means with an example and the mend.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_command_line() { return {}; }

}  // namespace txproof::lang
