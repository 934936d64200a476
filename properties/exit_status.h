// How the command ends: a closed set of exit statuses, and which of several wins.
#pragma once

namespace txproof::properties {

enum class ExitStatus : int {
  good = 0,             // everything asked for holds, and something was checked
  violation = 1,        // … or, in a diff, a regression
  unusable = 2,         // the command line, a model, a patch that does not apply
  inconclusive = 3,     // a limit or an approximation
  nothing_checked = 4,  // or all of it vacuously
  internal_error = 70,  // a failed re-check among them
};

// The one that a run ends with where several apply: 70, then 2, 1, 3, 4, 0.
ExitStatus worse(ExitStatus a, ExitStatus b);

}  // namespace txproof::properties
