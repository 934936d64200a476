// txproof explain CODE: what a diagnostic means, with an example and the mend.
#include "cli/commands.h"
#include "cli/output.h"
#include "model/lang/diagnostic.h"

namespace txproof::cli {

using properties::ExitStatus;

ExitStatus run_explain(const Options& options) {
  std::string out;
  if (options.operands.empty()) {
    for (const lang::CodeInfo& info : lang::all_codes()) {
      out += std::string(info.code) + "  " + info.title + "\n";
    }
    return write_result(options, out, ExitStatus::good);
  }
  ExitStatus status = ExitStatus::good;
  for (std::string code : options.operands) {
    for (char& c : code) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    const lang::CodeInfo* info = lang::find_code(code);
    if (info == nullptr) {
      say("there is no code '" + code + "'; 'txproof explain' lists them");
      status = ExitStatus::unusable;
      continue;
    }
    out += (out.empty() ? "" : "\n") + std::string(info->code) + ": " + info->title + "\n\n" +
           info->explanation;
    if (out.back() != '\n') out += '\n';
  }
  return write_result(options, out, status);
}

}  // namespace txproof::cli
