#include "properties/exit_status.h"

namespace txproof::properties {

namespace {

int rank(ExitStatus status) {
  switch (status) {
    case ExitStatus::good:
      return 0;
    case ExitStatus::nothing_checked:
      return 1;
    case ExitStatus::inconclusive:
      return 2;
    case ExitStatus::violation:
      return 3;
    case ExitStatus::unusable:
      return 4;
    case ExitStatus::internal_error:
      return 5;
  }
  return 5;
}

}  // namespace

ExitStatus worse(ExitStatus a, ExitStatus b) { return rank(a) >= rank(b) ? a : b; }

}  // namespace txproof::properties
