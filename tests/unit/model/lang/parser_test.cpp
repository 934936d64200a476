#include "model/lang/parser.h"

#include <doctest/doctest.h>

#include "model/lang/frontend.h"
#include "tests/support/dump_tree.h"
#include "tests/support/files.h"

using namespace txproof::lang;
using txproof::test::TreeDump;

namespace {

struct Parsed {
  SourceSet sources;
  Diagnostics diagnostics;
  std::unique_ptr<FileSyntax> file;
  std::vector<std::string> codes() const {
    std::vector<std::string> result;
    for (const Diagnostic& d : diagnostics.all()) result.push_back(d.code);
    return result;
  }
};

std::unique_ptr<Parsed> parse(const std::string& text) {
  auto result = std::make_unique<Parsed>();
  const FileId id = result->sources.add("t.tx", text);
  result->file = parse_file(result->sources, id, result->diagnostics);
  return result;
}

std::string expression(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const ExprPtr expr = parse_expression(sources, sources.add("e", text), diagnostics);
  return expr ? TreeDump::of(*expr) : "error " + diagnostics.all().at(0).code;
}

std::string model(const std::string& name) {
  DiskFiles files;
  return *files.read(std::string(TXPROOF_SOURCE_DIR) + "/tests/unit/model/lang/models/" + name)
              .text;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("the reference models and every construct of the grammar parse") {
  for (const char* name : {"bonding_core.tx", "lockless.tx", "everything.tx"}) {
    CAPTURE(name);
    const auto parsed = parse(model(name));
    for (const Diagnostic& d : parsed->diagnostics.all()) MESSAGE(render(parsed->sources, d));
    CHECK(parsed->codes().empty());
    CHECK(parsed->file->decls.size() > 12);
  }
}

TEST_CASE("precedence is C's, with implication below") {
  CHECK(expression("a + b * c") == expression("a + (b * c)"));
  CHECK(expression("a - b - c") == expression("(a - b) - c"));
  CHECK(expression("a & b == c") == expression("a & (b == c)"));
  CHECK(expression("a | b ^ c & d") == expression("a | (b ^ (c & d))"));
  CHECK(expression("a || b && c") == expression("a || (b && c)"));
  CHECK(expression("a << b + c < d") == expression("(a << (b + c)) < d"));
  CHECK(expression("a => b => c") == expression("a => (b => c)"));
  CHECK(expression("a ? b : c ? d : e") == expression("a ? b : (c ? d : e)"));
  CHECK(expression("a || b ? c : d => e") == expression("((a || b) ? c : d) => e"));
  CHECK(expression("-a.b[c]") == expression("-((a.b)[c])"));
  CHECK(expression("!a == b") == expression("(!a) == b"));
  CHECK(expression("a->b") == expression("a.b"));
  CHECK(expression("NULL") == expression("none"));
  CHECK(expression("a - b - c") != expression("a - (b - c)"));
}

TEST_CASE("an aggregate binds like a unary operator, a quantifier takes all that follows") {
  CHECK(expression("sum(s in T) s.n + 1") == expression("(sum(s in T) s.n) + 1"));
  CHECK(expression("count(s in T) - count(s in eth.ring)") ==
        expression("(count(s in T)) - (count(s in eth.ring))"));
  CHECK(expression("forall k in T: a && b => c") == expression("forall k in T: ((a && b) => c)"));
  CHECK(expression("any 0..a + 1 == b") == expression("(any 0..(a + 1)) == b"));
  CHECK(expression("min(a, b)") != expression("min(a in b) a"));
}

TEST_CASE("words of operators are names where no operand follows") {
  for (const char* text : {"count + 1", "take == none", "copy && get", "any", "q.take.count.min",
                           "sum(a, b)", "copy(a).len", "this.any"}) {
    CAPTURE(text);
    CHECK(expression(text).substr(0, 5) != "error");
  }
}

TEST_CASE("an expression alone is read to its end") {
  CHECK(expression("a b") == "error TX0101");
  CHECK(expression("") == "error TX0107");
  CHECK(expression("a @") == "error TX0002");
}

TEST_CASE("declaration or statement is decided by looking ahead") {
  const auto parsed = parse(
      "fn f() { sk_buff skb = { n: 1 }; skb = x; f(skb); weak T w = a.head; u16 n = u16(3);"
      " thread t = self; fifo<T, 2> q; a.b = c; a[1] = 2; count x += 1; count += 1; l: l2: ; }");
  REQUIRE(parsed->codes().empty());
  const auto& body = static_cast<const FunctionDecl&>(*parsed->file->decls[0]).body;
  std::vector<StmtKind> kinds;
  kinds.reserve(body.size());
  for (const auto& stmt : body) kinds.push_back(stmt->kind);
  CHECK(kinds == std::vector<StmtKind>{StmtKind::local, StmtKind::assign, StmtKind::call,
                                       StmtKind::local, StmtKind::local, StmtKind::local,
                                       StmtKind::local, StmtKind::assign, StmtKind::assign,
                                       StmtKind::count, StmtKind::assign, StmtKind::label,
                                       StmtKind::label});
}

TEST_CASE("variables of one declaration each have the whole type") {
  const auto parsed = parse("object o { fifo<T, N + 1> a, b; const_t c[2], d in 0..3 = 1; }");
  REQUIRE(parsed->codes().empty());
  const auto& fields = static_cast<const TypeDecl&>(*parsed->file->decls[0]).fields;
  REQUIRE(fields.size() == 4);
  CHECK(fields[1]->written_type->kind == TypeExpr::Kind::fifo);
  CHECK(fields[1]->written_type->size != nullptr);
  CHECK(fields[2]->is_array);
  CHECK(fields[3]->lo != nullptr);
  CHECK_FALSE(fields[3]->is_array);
}

TEST_CASE("an enumerator counts up from the one before") {
  const auto parsed = parse("enum e { A, B = 5, C, D = -2, E }");
  REQUIRE(parsed->codes().empty());
  std::vector<std::int64_t> values;
  for (const auto& e : static_cast<const TypeDecl&>(*parsed->file->decls[0]).enumerators) {
    values.push_back(e->value);
  }
  CHECK(values == std::vector<std::int64_t>{0, 5, 6, -2, -1});
}

TEST_CASE("every mistake of a file is found in one run, each once") {
  const auto parsed = parse(
      "fn f() {\n    a = ;\n    b = 1\n    c = 2;\n    if (d = 1) e();\n    g(;\n}\n"
      "fn 3() { }\nfn h() { x.; }\nstack s { run; }\n");
  CHECK(parsed->codes() ==
        Codes{"TX0107", "TX0103", "TX0101", "TX0107", "TX0102", "TX0102", "TX0102"});
}

TEST_CASE("a brace that is not closed costs one message, and what follows is read") {
  const auto parsed =
      parse("fn f() {\n    if (a) {\n        b();\n}\nfn g() { c(; }\nfn h() { }\n");
  CHECK(parsed->codes() == Codes{"TX0106", "TX0107"});
  CHECK(parsed->diagnostics.all()[0].notes.size() == 1);
  CHECK(parsed->file->decls.size() == 3);
  CHECK(parse("fn f() { {{{")->codes() == Codes{"TX0106"});
  CHECK(parse("fn f() { } } fn g() { }")->codes() == Codes{"TX0106"});
}

TEST_CASE("deep nesting and long chains end in a message") {
  const auto repeat = [](const std::string& text, int n) {
    std::string result;
    for (int i = 0; i < n; ++i) result += text;
    return result;
  };
  CHECK(expression(repeat("(", 100) + "a" + repeat(")", 100)).substr(0, 5) != "error");
  CHECK(expression("a" + repeat(" + a", 1500)).substr(0, 5) != "error");
  for (const std::string& text :
       {repeat("(", 100000), repeat("- ", 100000), "a" + repeat("+a", 100000),
        "a" + repeat("[a", 100000), "a" + repeat(".a", 100000), "a" + repeat("()", 100000),
        repeat("a=>", 100000), repeat("a?", 100000), repeat("a?a:", 100000),
        repeat("forall a in ", 100000), repeat("sum(a in b) ", 100000), repeat("{a:", 100000),
        "{a:" + repeat("[", 100000), repeat("u8(", 100000)}) {
    CAPTURE(text.substr(0, 20));
    CHECK(expression(text) == "error TX0105");
  }
  for (const char* text :
       {"{", "if (a) ", "if (a) a(); else ", "loop ", "either {", "do ", "fifo<", "atomic {"}) {
    CAPTURE(text);
    CHECK(parse("fn f() {" + repeat(text, 100000))->codes() == Codes{"TX0105"});
  }
}

TEST_CASE("a hundred errors end the reading") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "fn f() { a = ; }\n";
  CHECK(parse(text)->diagnostics.error_count() == 101);
  CHECK(parse(text)->diagnostics.all().back().code == "TX0104");
}
