#include "properties/verdict.h"

namespace txproof::properties {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::violated:
      return "violated";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

const char* to_string(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "none";
    case Limit::depth:
      return "depth";
    case Limit::time:
      return "time";
    case Limit::memory:
      return "memory";
    case Limit::interrupted:
      return "interrupted";
    case Limit::needs_other_engine:
      return "needs_other_engine";
    case Limit::approximation:
      return "approximation";
  }
  return "none";
}

}  // namespace txproof::properties
