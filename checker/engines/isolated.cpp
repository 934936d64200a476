#include "checker/engines/isolated.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "checker/engines/child.h"

namespace txproof::checker {

namespace {

using properties::Exploration;
using properties::Path;
using properties::Result;

// The parts of an Exploration one behind the other, as they lie in memory: both ends are the same
// program. `Writer` and `Reader` go through them alike.
class Writer {
 public:
  template <class T>
  void part(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      text_.append(value);
    }
  }
  void text(const std::string& value) {
    part(value.size());
    part(value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  template <class T>
  void part(T& value) {
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void text(std::string& value) {
    std::size_t size = 0;
    part(size);
    value.assign(take(size), size);
  }

 private:
  const char* take(std::size_t size) {
    if (size > text_.size() - at_) throw std::logic_error("an engine's answer is cut short");
    at_ += size;
    return text_.data() + (at_ - size);
  }
  const std::string& text_;
  std::size_t at_ = 0;
};

void put(Writer& out, const Path& path) {
  out.part(path.moves.size());
  for (const program::Move& move : path.moves) {
    out.part(move.thread);
    out.part(move.choices.size());
    for (const std::uint32_t choice : move.choices) out.part(choice);
  }
  out.part(path.violation);
  out.part(path.claim);
  out.part(path.loop.has_value());
  out.part(path.loop.value_or(0));
}

void get(Reader& in, Path& path) {
  std::size_t size = 0;
  in.part(size);
  path.moves.resize(size);
  for (program::Move& move : path.moves) {
    in.part(move.thread);
    in.part(size);
    move.choices.resize(size);
    for (std::uint32_t& choice : move.choices) in.part(choice);
  }
  in.part(path.violation);
  in.part(path.claim);
  bool loops = false;
  in.part(loops);
  in.part(size);
  if (loops) path.loop = size;
}

void put(Writer& out, const std::string& text) { out.text(text); }
void get(Reader& in, std::string& text) { in.text(text); }
void put(Writer& out, std::int64_t value) { out.part(value); }
void get(Reader& in, std::int64_t& value) { in.part(value); }

template <class T>
void put(Writer& out, const std::optional<T>& value) {
  out.part(value.has_value());
  if (value) put(out, *value);
}
template <class T>
void get(Reader& in, std::optional<T>& value) {
  bool there = false;
  in.part(there);
  if (there) get(in, value.emplace());
}

std::string written(const Exploration& exploration) {
  Writer out;
  out.text(exploration.engine);
  out.part(exploration.states);
  out.part(exploration.transitions);
  out.part(exploration.depth);
  out.part(exploration.seconds);
  out.part(exploration.complete);
  out.part(exploration.stopped_by_fault);
  out.part(exploration.covered_blocks.size());
  for (const bool covered : exploration.covered_blocks) out.part(covered);
  out.part(exploration.results.size());
  for (const Result& result : exploration.results) {
    out.part(result.property);
    out.part(result.verdict);
    out.part(result.limit);
    out.text(result.reason);
    put(out, result.vacuous);
    put(out, result.value);
    out.part(result.value_is_exact);
    put(out, result.value_path);
    put(out, result.value_text);
    out.text(result.engine);
    put(out, result.path);
  }
  return out.take();
}

Exploration read(const std::string& text) {
  Reader in(text);
  Exploration exploration;
  in.text(exploration.engine);
  in.part(exploration.states);
  in.part(exploration.transitions);
  in.part(exploration.depth);
  in.part(exploration.seconds);
  in.part(exploration.complete);
  in.part(exploration.stopped_by_fault);
  std::size_t size = 0;
  in.part(size);
  exploration.covered_blocks.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    bool covered = false;
    in.part(covered);
    exploration.covered_blocks[i] = covered;
  }
  in.part(size);
  exploration.results.resize(size);
  for (Result& result : exploration.results) {
    in.part(result.property);
    in.part(result.verdict);
    in.part(result.limit);
    in.text(result.reason);
    get(in, result.vacuous);
    get(in, result.value);
    in.part(result.value_is_exact);
    get(in, result.value_path);
    get(in, result.value_text);
    in.text(result.engine);
    get(in, result.path);
  }
  return exploration;
}

Exploration nothing_known(const char* name, const program::Program& program, const ChildEnd& end) {
  Exploration exploration;
  exploration.engine = name;
  for (program::PropertyId id = 0; id < program.properties.size(); ++id) {
    Result& result = exploration.results.emplace_back();
    result.property = id;
    result.limit = end.overran       ? properties::Limit::time
                   : end.interrupted ? properties::Limit::interrupted
                                     : properties::Limit::approximation;
    result.reason = end.overran ? "the solver did not end at the time limit and was stopped"
                    : end.interrupted
                        ? "the solver was interrupted"
                        : "the solver broke off (signal " + std::to_string(end.signal) + ")";
  }
  return exploration;
}

}  // namespace

Exploration isolated(const char* name, EngineRun run, const program::Program& program,
                     const SearchOptions& options) {
  const ChildEnd end = in_child([&] { return written(run(program, options)); }, options.time_limit,
                                options.interrupted);
  if (!end.error.empty()) throw std::logic_error(end.error);
  return end.answer ? read(*end.answer) : nothing_known(name, program, end);
}

}  // namespace txproof::checker
