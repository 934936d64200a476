#include "properties/exit_status.h"

#include <doctest/doctest.h>

#include <vector>

namespace txproof::properties {
namespace {

TEST_CASE("of several exit statuses the worst wins: 70, 2, 1, 3, 4, 0") {
  const std::vector<ExitStatus> order = {ExitStatus::internal_error,  ExitStatus::unusable,
                                         ExitStatus::violation,       ExitStatus::inconclusive,
                                         ExitStatus::nothing_checked, ExitStatus::good};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i; j < order.size(); ++j) {
      CHECK(worse(order[i], order[j]) == order[i]);
      CHECK(worse(order[j], order[i]) == order[i]);
    }
  }
}

TEST_CASE("exit statuses are the numbers that scripts rely on") {
  CHECK(static_cast<int>(ExitStatus::good) == 0);
  CHECK(static_cast<int>(ExitStatus::violation) == 1);
  CHECK(static_cast<int>(ExitStatus::unusable) == 2);
  CHECK(static_cast<int>(ExitStatus::inconclusive) == 3);
  CHECK(static_cast<int>(ExitStatus::nothing_checked) == 4);
  CHECK(static_cast<int>(ExitStatus::internal_error) == 70);
}

}  // namespace
}  // namespace txproof::properties
