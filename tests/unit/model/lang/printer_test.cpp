#include "model/lang/printer.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "model/lang/frontend.h"
#include "tests/support/dump_tree.h"

using namespace txproof::lang;
using txproof::test::TreeDump;

namespace {

// Prints, and checks that printing again changes nothing and that the tree is the same.
std::string format(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto first = parse_file(sources, sources.add("a.tx", text), diagnostics);
  for (const Diagnostic& d : diagnostics.all()) FAIL_CHECK(render(sources, d));
  std::string printed = print_file(sources, *first);
  const auto second = parse_file(sources, sources.add("b.tx", printed), diagnostics);
  for (const Diagnostic& d : diagnostics.all()) FAIL_CHECK(render(sources, d));
  CHECK(TreeDump::of(*first) == TreeDump::of(*second));
  CHECK(print_file(sources, *second) == printed);
  return printed;
}

}  // namespace

TEST_CASE("every model in the tree is printed to the same tree, and then stays as it is") {
  const std::filesystem::path root = TXPROOF_SOURCE_DIR;
  DiskFiles files;
  int count = 0;
  for (const char* folder :
       {"model", "properties", "tests/unit/model/lang/models", "tests/scenario"}) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".tx") continue;
      CAPTURE(entry.path().string());
      format(*files.read(entry.path().string()).text);
      ++count;
    }
  }
  CHECK(count >= 3);
}

TEST_CASE("the style: four spaces, braces at the end of the line") {
  CHECK(format("fn f(int n in 0..3):bool{if(n>0){g();}else if(n)return true;\nelse{h();}"
               "while(n)rounds<=N{}\nx=a?b:c;do{g();}while(n)rounds<=2;for(i in 0..3)g();}") ==
        "fn f(int n in 0..3) : bool {\n"
        "    if (n > 0) {\n"
        "        g();\n"
        "    } else if (n)\n"
        "        return true;\n"
        "    else {\n"
        "        h();\n"
        "    }\n"
        "    while (n) rounds <= N {}\n"
        "    x = a ? b : c;\n"
        "    do {\n"
        "        g();\n"
        "    } while (n) rounds <= 2;\n"
        "    for (i in 0..3)\n"
        "        g();\n"
        "}\n");
}

TEST_CASE("comments and single blank lines are kept") {
  CHECK(format("// file\n\n\n/* of\n  * two lines */\nconst A = 1; // a\nconst BB = 2;// b\n"
               "fn f() { // f\n\n  // own\n  g(a, // first\n    b);\n\n\n  h();\n  // last\n}\n"
               "// end\n") ==
        "// file\n\n"
        "/* of\n"
        " * two lines */\n"
        "const A = 1;   // a\n"
        "const BB = 2;  // b\n"
        "\n"
        "fn f() {  // f\n"
        "    // own\n"
        "    g(a, b);  // first\n"
        "\n"
        "    h();\n"
        "    // last\n"
        "}\n"
        "// end\n");
}

TEST_CASE("what the writer chose is kept") {
  CHECK(format("const A = 0x10, B = (1 + 2);\nfn f() { a->b++; if (p == NULL) { x -= 1; } }\n") ==
        "const A = 0x10, B = (1 + 2);\n"
        "\n"
        "fn f() {\n"
        "    a->b++;\n"
        "    if (p == NULL) {\n"
        "        x -= 1;\n"
        "    }\n"
        "}\n");
  CHECK(format("interface o { fn a() : bool { return true; }\n fn b(); }") ==
        "interface o {\n    fn a() : bool { return true; }\n    fn b();\n}\n");
}

TEST_CASE("a long line is broken outside the brackets first") {
  const std::string text = format(
      "fn f() { some_variable_name = function_of(first_argument, second_argument) + "
      "another_function(third_argument, fourth); }");
  CHECK(text.find("function_of(first_argument, second_argument)\n            + another") !=
        std::string::npos);
}

TEST_CASE("an empty file and a file of comments") {
  CHECK(format("") == "");
  CHECK(format("\n\n// a\n\n\n/* b */\n") == "// a\n\n/* b */\n");
}
