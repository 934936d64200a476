// A trace survives being written and read, and files that are no traces are refused.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "counterexamples/render_json.h"
#include "counterexamples/replay.h"
#include "tests/unit/counterexamples/small_model.h"

namespace txproof::counterexamples {
namespace {

const std::string model_text =
    "object cell { int n in 0..5 = 0; }\n"
    "thread up(cell c) { loop { pause; either { c.n += 1; } or { c.n += 2; } } }\n"
    "property small { always forall c in cell: c.n <= 2; }\n"
    "stack s { param int P in 1..9 = 3; cell a {}; run up(a) for i in 0..1; check small; }\n";

TEST_CASE("written, read, resolved, replayed") {
  const SmallModel model(model_text);
  const properties::Result result = model.violated("small");
  const Replay first = replay(*model.program, result.property, *result.path);
  REQUIRE(first.trace);
  const ModelOrigin origin{"small.tx", "s", {"root"}, {"a.patch"}, ""};
  const std::string text =
      json_text(trace_to_json(*first.trace, *model.program, model.sources, origin), true);

  std::string error;
  const auto stored = traces_from_json(text, error);
  REQUIRE(stored.size() == 1);
  CHECK(stored[0].origin.patches == origin.patches);
  CHECK(stored[0].parameters.at("P") == 3);
  const auto path = resolve_path(stored[0], *model.program, error);
  REQUIRE(path);
  REQUIRE(!path->candidates.empty());
  CHECK(path->candidates[0].moves == result.path->moves);
  CHECK(replay(*model.program, path->property, path->candidates[0]).trace);

  StoredTrace other = stored[0];
  other.property = "large";
  CHECK(!resolve_path(other, *model.program, error));
  other = stored[0];
  other.moves[0].thread = "nobody";
  CHECK(!resolve_path(other, *model.program, error));
  CHECK(error.find("nobody") != std::string::npos);
}

TEST_CASE("what is no trace is refused with a reason") {
  for (const char* text :
       {"", "x", "[]", "{}", "{\"steps\": []}", "{\"steps\": [], \"model\": {}}",
        "{\"steps\": [{}], \"model\": {\"file\": \"f\"}, \"property\": \"p\"}",
        "{\"steps\": [{\"move\": {\"thread\": \"t\", \"choices\": [-1]}}], \"model\": {\"file\": "
        "\"f\"}, \"property\": \"p\"}",
        "{\"steps\": [{\"move\": {\"thread\": \"t\", \"choices\": [4294967296]}}], \"model\": "
        "{\"file\": \"f\"}, \"property\": \"p\"}",
        "{\"steps\": [], \"model\": {\"file\": \"f\"}, \"property\": \"p\", \"parameters\": "
        "{\"P\": "
        "1.5}}"}) {
    std::string error;
    CAPTURE(text);
    CHECK(traces_from_json(text, error).empty());
    CHECK(error != "");
  }
}

}  // namespace
}  // namespace txproof::counterexamples
