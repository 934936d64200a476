// What random_model.cpp and its parts share: the text so far, and what may be named at this place.
#pragma once

#include <string>
#include <vector>

#include "tests/support/generator/dice.h"
#include "tests/support/generator/random_model.h"

namespace txproof::test {

// Which parts of the language a model uses, chosen once.
struct Chosen {
  bool packets = false, fifo = false, bag = false, slot = false, weak = false;
  bool counted = false, array = false, wrap = false, numbers = false, number_bag = false;
  bool clock = false, tick = false, lock = false, enumeration = false, reference = false;
  bool interface = false, hook = false, recursion = false, helper = false, sender = false;
  bool packet_clock = false, packet_weak = false, packet_owner = false, counter = false;
  bool two_boxes = false, fine = false, unsafe = false, parameter = false, borrow = false;
  bool page_fifo = false;
};

// Names that can be used where the text is written just now.
struct Scope {
  std::vector<std::string> boxes;      // references to a box that are not none
  std::vector<std::string> numbers;    // local integers
  std::vector<std::string> bits;       // local booleans
  std::vector<std::string> packets;    // local places that are full, if nothing went wrong
  std::vector<std::string> pages;      // the same, counted
  std::vector<std::string> handles;    // local weak handles
  std::vector<std::string> constants;  // parameters of the stack do not reach functions
  bool stops = true;                   // a stop point may stand here
  bool loop = false;                   // inside a loop: break, continue
  bool pure = false;                   // a condition: no `any`, no call with effects
  bool thread = true;                  // the text of a thread: `return` ends it
};

class Writer {
 public:
  Writer(std::uint64_t seed, const ModelFeatures& features) : dice_(seed), features_(features) {}
  std::string write();

 private:
  // random_model.cpp: declarations
  void choose();
  void types();
  void objects();
  void functions();
  void threads();
  void stack();
  // random_property.cpp
  void properties();
  void property_body(int kind);
  void liveness_body();
  // random_statement.cpp
  void body(Scope& scope, int statements);
  void statement(Scope& scope);
  void compound(Scope& scope);
  void stop(Scope& scope);
  void assignment(Scope& scope);
  void container(Scope& scope);
  void packet(Scope& scope);
  void dispose(Scope& scope, const std::string& packet);
  void page(Scope& scope);
  void handle(Scope& scope);
  void locked(Scope& scope);
  void call(Scope& scope);
  // random_expression.cpp
  std::string number(const Scope& scope, int depth);
  std::string leaf(const Scope& scope);
  std::string condition(const Scope& scope, int depth);
  std::string test(const Scope& scope);
  std::string aggregate(const Scope& scope);
  std::string box(const Scope& scope) { return dice_.pick(scope.boxes); }
  std::string field(const Scope& scope) { return box(scope) + dice_.pick({"->", "."}); }
  // A number that fits in lo..hi, or mostly does where the model is careless.
  std::string fitting(const Scope& scope, int lo, int hi, bool index = false);

  void line(const std::string& text) {
    text_ += std::string(static_cast<std::size_t>(depth_) * 4, ' ') + text + "\n";
  }
  void open(const std::string& text) {
    line(text + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  std::string fresh(const std::string& stem) { return stem + std::to_string(next_name_++); }
  static std::string text(int value) { return std::to_string(value); }

  Dice dice_;
  ModelFeatures features_;
  Chosen use_;
  std::string text_;
  int depth_ = 0;
  int next_name_ = 20;      // smaller numbers are those of names that are fixed
  bool act_stops_ = false;  // act_0 has a stop point
  int nesting_ = 0;
  int budget_ = 0;        // statements left in the thread or function
  std::string wrapping_;  // the type of w_0, as a cast spells it
  std::vector<std::string> checks_;
  std::vector<std::string> runs_;
};

}  // namespace txproof::test
