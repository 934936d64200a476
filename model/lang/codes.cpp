#include "model/lang/codes.h"

#include <algorithm>
#include <string_view>

namespace txproof::lang {

const std::vector<CodeInfo>& all_codes() {
  static const std::vector<CodeInfo> kAll = [] {
    std::vector<CodeInfo> all;
    for (const auto part : {codes_of_files, codes_of_syntax, codes_of_names, codes_of_types,
                            codes_of_elaboration, codes_of_patches, codes_of_command_line}) {
      const std::vector<CodeInfo> rows = part();
      all.insert(all.end(), rows.begin(), rows.end());
    }
    std::sort(all.begin(), all.end(), [](const CodeInfo& a, const CodeInfo& b) {
      return std::string_view(a.code) < std::string_view(b.code);
    });
    return all;
  }();
  return kAll;
}

const CodeInfo* find_code(std::string_view code) {
  for (const CodeInfo& info : all_codes()) {
    if (info.code == code) return &info;
  }
  return nullptr;
}

}  // namespace txproof::lang
