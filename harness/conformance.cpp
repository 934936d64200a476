#include "harness/conformance.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <ostream>
#include <vector>

#include "checker/sampling/random.h"
#include "harness/silent_rapidcheck.h"

namespace txproof::harness {

using checker::sampling::Random;

namespace {

// A test: a seed that draws commands, or commands that are given as far as the model defines them.
struct Case {
  std::uint64_t seed = 0;
  std::optional<std::vector<Values>> commands;
};

std::string to_text(const std::vector<Values>& commands) {
  std::string text;
  for (const Values& command : commands) {
    if (!text.empty()) text += ' ';
    for (std::size_t i = 0; i < command.size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(command[i]);
    }
  }
  return text;
}

std::vector<Values> commands_of(const std::string& text) {
  std::vector<Values> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  out.emplace_back();
  while (at != end) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ',' && *next != ' ')) {
      throw ModelError("these are no commands that `conforms` named: " + text);
    }
    out.back().push_back(value);
    if (next != end && *next == ' ') out.emplace_back();
    at = next == end ? end : next + 1;
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const Case& test) {
  return out << to_text(test.commands.value_or(std::vector<Values>()));
}

class Conformance {
 public:
  Conformance(const Model& model, const Port& port, const MakeSubject& make,
              const ConformanceOptions& options)
      : title_(model.title()), oracle_(model, port), make_(make), options_(options) {}

  Result run() {
    if (!options_.reproduce.empty()) {
      ++result_.tests;
      fails({0, commands_of(options_.reproduce)});
    } else {
      const rc::Gen<Case> cases = [this](const rc::Random& seed, int /*size*/) {
        rc::Random random = seed;
        return rc::shrinkable::shrinkRecur(Case{random.next(), std::nullopt},
                                           [this](const Case& test) { return smaller(test); });
      };
      std::exception_ptr unusable;
      const std::string failure = run_rapidcheck(options_.seed, options_.tests, [&] {
        const Case test = *cases;
        ++result_.tests;
        bool failed = true;
        try {
          failed = fails(test);
        } catch (const ModelError&) {
          unusable = std::current_exception();
        }
        if (failed) RC_FAIL("the answer is none that the model allows");
      });
      if (unusable) std::rethrow_exception(unusable);
      if (!failure.empty() && message_.empty()) message_ = failure;
    }
    result_.passed = message_.empty();
    if (result_.passed) return result_;
    result_.reproduce = to_text(given_);
    result_.message = title_ + ": the code does what the model does not allow\n" + message_ +
                      "  reproduce: " + result_.reproduce + "\n";
    return result_;
  }

 private:
  [[nodiscard]] std::string line(std::size_t number, const Values& command,
                                 const Values& answer) const {
    return "  " + std::to_string(number) + "  " +
           (options_.describe
                ? options_.describe(command, answer)
                : oracle_.command_text(command) + " -> " + oracle_.answer_text(answer)) +
           "\n";
  }

  // Runs a test on a fresh subject; what went wrong stays in message_ and given_.
  bool fails(const Case& test) {
    const Subject subject = make_();
    Random random(test.seed);
    std::vector<Oracle::StateId> states = oracle_.closure(oracle_.start());
    std::vector<Values> given;
    std::string log;
    for (std::size_t i = 0; test.commands ? i < test.commands->size() : i < options_.commands;
         ++i) {
      const std::vector<Values> possible = oracle_.commands(states);
      if (possible.empty()) break;
      const Values command =
          test.commands ? (*test.commands)[i] : possible[random.below(possible.size())];
      if (!std::binary_search(possible.begin(), possible.end(), command)) continue;
      given.push_back(command);
      ++result_.steps;
      Values answer;
      try {
        answer = subject(command);
      } catch (const std::exception& error) {
        message_ = log + "  " + std::to_string(given.size()) + "  " +
                   oracle_.command_text(command) + ": it throws: " + error.what() + "\n";
        given_ = given;
        return true;
      }
      log += line(given.size(), command, answer);
      std::vector<Oracle::StateId> next = oracle_.after(states, command, answer);
      if (next.empty()) {
        message_ = log + "  the model allows there:\n";
        for (const Values& allowed : oracle_.answers(states, command)) {
          message_ += line(given.size(), command, allowed);
        }
        given_ = given;
        return true;
      }
      states = std::move(next);
    }
    run_ = std::move(given);
    return false;
  }

  rc::Seq<Case> smaller(const Case& test) {
    if (!test.commands) {
      return rc::seq::map(rc::seq::just(test), [this](Case same) {
        same.commands = fails(same) ? given_ : run_;
        return same;
      });
    }
    return rc::seq::map(rc::shrink::removeChunks(*test.commands), [](std::vector<Values> commands) {
      return Case{0, std::move(commands)};
    });
  }

  std::string title_;
  Oracle oracle_;
  const MakeSubject& make_;
  const ConformanceOptions& options_;
  Result result_;
  std::string message_;        // of the last failure: the smallest, since others are refused
  std::vector<Values> given_;  // its commands
  std::vector<Values> run_;    // commands of the last test that passed
};

}  // namespace

Result conforms(const Model& model, const Port& port, const MakeSubject& make,
                const ConformanceOptions& options) {
  return Conformance(model, port, make, options).run();
}

}  // namespace txproof::harness
