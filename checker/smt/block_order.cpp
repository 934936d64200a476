#include "checker/smt/block_order.h"

#include <algorithm>
#include <set>

namespace txproof::checker::smt {

using program::BlockId;
using program::Program;
using program::TerminatorKind;

namespace {

constexpr std::uint32_t unseen = 0xffffffffU;

// Strong components by Tarjan's algorithm, without recursion: a model may have long chains.
class Components {
 public:
  Components(const Program& program, const std::vector<BlockId>& blocks)
      : program_(program),
        index_(program.blocks.size(), unseen),
        low_(program.blocks.size()),
        member_(program.blocks.size(), 0),
        on_stack_(program.blocks.size(), 0) {
    for (const BlockId block : blocks) member_[block] = 1;
    for (const BlockId block : blocks) {
      if (index_[block] == unseen) search(block);
    }
    std::reverse(found_.begin(), found_.end());
  }

  // In topological order.
  [[nodiscard]] const std::vector<std::vector<BlockId>>& found() const { return found_; }
  [[nodiscard]] std::uint32_t met(BlockId block) const { return index_[block]; }

 private:
  struct Frame {
    BlockId block;
    std::size_t next = 0;
  };

  void enter(BlockId block, std::vector<Frame>& frames) {
    index_[block] = low_[block] = count_++;
    stack_.push_back(block);
    on_stack_[block] = 1;
    frames.push_back({block});
  }

  void search(BlockId root) {
    std::vector<Frame> frames;
    enter(root, frames);
    while (!frames.empty()) {
      const BlockId block = frames.back().block;
      const std::vector<BlockId>& targets = program_.blocks[block].end.targets;
      if (frames.back().next < targets.size()) {
        const BlockId target = targets[frames.back().next++];
        if (member_[target] == 0) continue;
        if (index_[target] == unseen) {
          enter(target, frames);
        } else if (on_stack_[target] != 0) {
          low_[block] = std::min(low_[block], index_[target]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        low_[frames.back().block] = std::min(low_[frames.back().block], low_[block]);
      }
      if (low_[block] == index_[block]) close(block);
    }
  }

  void close(BlockId root) {
    std::vector<BlockId> component;
    BlockId block = program::no_id;
    do {
      block = stack_.back();
      stack_.pop_back();
      on_stack_[block] = 0;
      component.push_back(block);
    } while (block != root);
    found_.push_back(std::move(component));
  }

  const Program& program_;
  std::vector<std::uint32_t> index_, low_;
  std::vector<char> member_, on_stack_;
  std::vector<BlockId> stack_;
  std::uint32_t count_ = 0;
  std::vector<std::vector<BlockId>> found_;
};

bool loops_on_itself(const Program& program, BlockId block) {
  const auto& targets = program.blocks[block].end.targets;
  return std::find(targets.begin(), targets.end(), block) != targets.end();
}

}  // namespace

BlockOrder::BlockOrder(const Program& program)
    : position_(program.blocks.size()), before_(program.blocks.size()) {
  std::vector<BlockId> all(program.blocks.size());
  for (BlockId block = 0; block < all.size(); ++block) {
    all[block] = block;
    for (const BlockId target : program.blocks[block].end.targets) {
      before_[target].push_back(block);
    }
  }
  decompose(program, all, {}, 0);
}

void BlockOrder::decompose(const Program& program, const std::vector<BlockId>& blocks,
                           const std::vector<std::uint32_t>& around, std::uint32_t first_index) {
  const Components components(program, blocks);
  std::uint32_t index = first_index;
  for (const std::vector<BlockId>& component : components.found()) {
    std::vector<std::uint32_t> here = around;
    here.push_back(index++);
    if (component.size() == 1 && !loops_on_itself(program, component[0])) {
      position_[component[0]] = here;
      continue;
    }
    // Where it is entered; a step may also begin in its middle, so not simply the first met.
    const std::set<BlockId> members(component.begin(), component.end());
    const auto entered = [&](BlockId block) {
      return std::any_of(before_[block].begin(), before_[block].end(),
                         [&](BlockId from) { return members.count(from) == 0; });
    };
    const BlockId head =
        *std::min_element(component.begin(), component.end(), [&](BlockId a, BlockId b) {
          if (entered(a) != entered(b)) return entered(a);
          return components.met(a) < components.met(b);
        });
    position_[head] = here;
    position_[head].push_back(0);
    std::vector<BlockId> rest;
    for (const BlockId block : component) {
      if (block != head) rest.push_back(block);
    }
    decompose(program, rest, here, 1);
  }
}

VisitKey BlockOrder::first(BlockId block) const {
  VisitKey key;
  const auto& position = position_[block];
  for (std::size_t i = 0; i < position.size(); ++i) {
    key.push_back(position[i]);
    if (i + 1 < position.size()) key.push_back(0);
  }
  return key;
}

VisitKey BlockOrder::next(const VisitKey& key, BlockId from, BlockId to) const {
  VisitKey result = first(to);
  const auto& here = position_[from];
  const auto& there = position_[to];
  std::size_t common = 0;  // loops around both
  while (common + 1 < here.size() && common + 1 < there.size() && here[common] == there[common]) {
    result[2 * common + 1] = key[2 * common + 1];
    ++common;
  }
  const bool back = common > 0 && common + 1 == there.size() && there.back() == 0;
  if (back) ++result[2 * common - 1];
  return result;
}

}  // namespace txproof::checker::smt
