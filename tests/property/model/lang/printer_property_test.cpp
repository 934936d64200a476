// Printer and parser agree: what is printed is read back as the same tree, and printing it again
// changes nothing. Random bytes and damaged models never crash the parser.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "model/lang/frontend.h"
#include "model/lang/operators.h"
#include "tests/property/model/lang/generate_text.h"
#include "tests/support/dump_tree.h"

using namespace txproof::lang;
using txproof::test::TextGenerator;
using txproof::test::TreeDump;

namespace {

// What was said, for the failure's report.
std::string said(const SourceSet& sources, const Diagnostics& diagnostics) {
  std::string result;
  for (const Diagnostic& d : diagnostics.all()) result += render(sources, d);
  return result;
}

// A random tree, without a source: shapes that no text of ours would have.
ExprPtr random_tree(int depth) {
  auto result = std::make_unique<Expr>();
  const auto child = [&] { result->args.push_back(random_tree(depth - 1)); };
  const int kind = depth <= 0 ? *rc::gen::inRange(0, 4) : *rc::gen::inRange(0, 16);
  switch (kind) {
    case 0:
      result->value = *rc::gen::inRange<std::int64_t>(0, 1000);
      break;
    case 1:
      result->kind = ExprKind::boolean;
      result->value = *rc::gen::inRange(0, 2);
      break;
    case 2:
      result->kind =
          *rc::gen::element(ExprKind::none, ExprKind::self, ExprKind::this_, ExprKind::ticks);
      break;
    case 3:
      result->kind = ExprKind::name;
      result->name = *rc::gen::element<std::string>("a", "count", "take", "of", "fair", "x1");
      break;
    case 4:
    case 5:
    case 6:
      result->kind = ExprKind::binary;
      result->name =
          *rc::gen::element<std::string>("=>", "||", "&&", "|", "^", "&", "==", "!=", "<",
                                         "<=", ">", ">=", "<<", ">>", "+", "-", "*", "/", "%");
      child();
      child();
      break;
    case 7:
      result->kind = ExprKind::unary;
      result->name = *rc::gen::element<std::string>("-", "!", "~");
      child();
      break;
    case 8:
      result->kind = ExprKind::conditional;
      child();
      child();
      child();
      break;
    case 9:
      result->kind = ExprKind::field;
      result->name = *rc::gen::element<std::string>("len", "count", "in", "loop", "take");
      child();
      break;
    case 10:
      result->kind = ExprKind::index;
      child();
      child();
      break;
    case 11:
      result->kind = ExprKind::call;
      child();
      // `take(x)` is no call: words of operators are called only through a dot.
      if (result->args[0]->kind == ExprKind::name) result->args[0]->name = "f";
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) child();
      break;
    case 12:
      result->kind = *rc::gen::element(ExprKind::take, ExprKind::copy, ExprKind::get);
      child();
      break;
    case 13:
      result->kind = ExprKind::any;
      child();
      child();
      break;
    case 14:
      result->kind = ExprKind::cast;
      result->written_type = std::make_unique<TypeExpr>();
      result->written_type->kind = TypeExpr::Kind::u16;
      child();
      break;
    default:
      result->kind = ExprKind::aggregate;
      result->name = "s";
      result->binder = std::make_unique<VarDecl>();
      result->binder->role = VarDecl::Role::binder;
      result->binder->name = "s";
      result->aggregate_op = static_cast<AggregateOp>(*rc::gen::inRange(0, 6));
      child();
      result->args.push_back(*rc::gen::inRange(0, 2) == 0 ? nullptr : random_tree(depth - 1));
      result->args.push_back(result->aggregate_op == AggregateOp::count ? nullptr
                                                                        : random_tree(depth - 1));
      break;
  }
  return result;
}

}  // namespace

TEST_CASE("a random tree is printed as text that reads as that tree") {
  CHECK(rc::check([] {
    const ExprPtr tree = random_tree(*rc::gen::inRange(0, 6));
    const std::string text = print_expr(*tree);
    RC_LOG() << text << "\n";
    SourceSet sources;
    Diagnostics diagnostics;
    const ExprPtr read = parse_expression(sources, sources.add("e", text), diagnostics);
    RC_LOG() << said(sources, diagnostics);
    RC_ASSERT(bool(read));
    RC_ASSERT(TreeDump::of(*read) == TreeDump::of(*tree));
  }));
}

TEST_CASE("a random expression's text is read, printed and read as the same tree") {
  CHECK(rc::check([](std::uint64_t seed) {
    const std::string text = TextGenerator(seed).expression(5);
    RC_LOG() << text << "\n";
    SourceSet sources;
    Diagnostics diagnostics;
    const ExprPtr first = parse_expression(sources, sources.add("a", text), diagnostics);
    RC_LOG() << said(sources, diagnostics);
    RC_ASSERT(bool(first));
    const std::string printed = print_expr(*first);
    const ExprPtr second = parse_expression(sources, sources.add("b", printed), diagnostics);
    RC_ASSERT(bool(second));
    RC_ASSERT(TreeDump::of(*first) == TreeDump::of(*second));
    RC_ASSERT(print_expr(*second) == printed);
  }));
}

TEST_CASE(
    "a random file is printed to the same tree, then stays as it is, and keeps its comments") {
  CHECK(rc::check([](std::uint64_t seed) {
    const std::string text = TextGenerator(seed).file();
    RC_LOG() << text << "\n";
    SourceSet sources;
    Diagnostics diagnostics;
    const auto first = parse_file(sources, sources.add("a", text), diagnostics);
    RC_LOG() << said(sources, diagnostics);
    RC_ASSERT(!diagnostics.has_errors());
    const std::string printed = print_file(sources, *first);
    RC_LOG() << "----\n" << printed;
    const auto second = parse_file(sources, sources.add("b", printed), diagnostics);
    RC_LOG() << said(sources, diagnostics);
    RC_ASSERT(!diagnostics.has_errors());
    RC_ASSERT(TreeDump::of(*first) == TreeDump::of(*second));
    RC_ASSERT(print_file(sources, *second) == printed);
    for (const char* comment : {"/* a */", "// b", "// own", "/* c", "// e"}) {
      const auto count = [&](const std::string& in) {
        int found = 0;
        for (std::size_t at = in.find(comment); at != std::string::npos;
             at = in.find(comment, at + 1)) {
          ++found;
        }
        return found;
      };
      RC_ASSERT(count(text) == count(printed));
    }
  }));
}

TEST_CASE("random bytes and damaged models end in messages, never in a crash") {
  const auto survive = [](const std::string& text) {
    SourceSet sources;
    Diagnostics diagnostics;
    const auto file = parse_file(sources, sources.add("a", text), diagnostics);
    RC_ASSERT(bool(file));
    for (const Diagnostic& d : diagnostics.all()) {
      RC_ASSERT(find_code(d.code) != nullptr);
      RC_ASSERT(!render(sources, d).empty());
    }
    RC_ASSERT(diagnostics.error_count() <= 200);
    if (!diagnostics.has_errors()) print_file(sources, *file);
  };
  CHECK(rc::check(
      [&](const std::vector<char>& bytes) { survive(std::string(bytes.begin(), bytes.end())); }));
  CHECK(rc::check([&](std::uint64_t seed) {
    std::string text = TextGenerator(seed).file();
    for (int i = *rc::gen::inRange(1, 6); i > 0 && !text.empty(); --i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      switch (*rc::gen::inRange(0, 4)) {
        case 0:
          text.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
          break;
        case 1:
          text.insert(at, *rc::gen::element<std::string>("{", "}", "(", ")", ";", "<", "in", "\"",
                                                         "/*", "..", "or", "\xC3", "else", "fn"));
          break;
        case 2:
          text[at] = *rc::gen::arbitrary<char>();
          break;
        default:
          text.resize(at);
          break;
      }
    }
    survive(text);
  }));
}
