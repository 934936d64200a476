#include "checker/smt/fresh.h"

#include <z3++.h>

#include <algorithm>

namespace txproof::checker::smt {

FreshAnswer check_fresh(const std::string& text, double seconds) {
  constexpr double longest = 4'000'000;  // in milliseconds, Z3 takes 32 bits
  try {
    z3::context context;
    z3::solver solver(context);
    z3::params params(context);
    params.set("timeout", static_cast<unsigned>(std::clamp(seconds, 0.001, longest) * 1000));
    solver.set(params);
    solver.from_string(text.c_str());
    switch (solver.check()) {
      case z3::unsat:
        return {Answer::unsat, ""};
      case z3::sat:
        return {Answer::sat, ""};
      case z3::unknown:
        return {Answer::unknown, solver.reason_unknown()};
    }
  } catch (const z3::exception& error) {
    return {Answer::unknown, error.msg()};
  }
  return {};
}

}  // namespace txproof::checker::smt
