// TX00xx: files and tokens.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_files() {
  return {
      {"TX0001", "not a text file",
       R"(The file has bytes that no text has, or so many characters that fit nowhere that it
cannot be a model. UTF-16 looks like this too.

    txproof check ring.png

Name the .tx file. If it is UTF-16, save it as UTF-8.)"},
      {"TX0002", "a character that fits nowhere",
       R"(Outside comments and strings a model is ASCII: names, numbers and C's operators.

    int größe in 0..3;

Rename it (`int size in 0..3;`). Instead of `#include` write `import "file.tx";`, instead of
`#define N 3` write `const N = 3;`.)"},
      {"TX0003", "a broken string",
       R"(A string begins and ends on one line. In it, \" is a quote and \\ a backslash; nothing
else follows a backslash.

    property p "no packet is lost

Close it on the same line: "no packet is lost".)"},
      {"TX0004", "not a number",
       R"(Numbers are decimal, or 0x and hex digits, up to 9223372036854775807. A leading zero
would be octal in C and is refused, and so are suffixes.

    const MODE = 0755, LEN = 10UL;

Write `const MODE = 0x1ed, LEN = 10;`.)"},
      {"TX0005", "a comment that is not closed",
       R"(A comment that begins with /* goes to the next */. There is none before the end of the
file. Comments do not nest.

    /* the requeue slot

Add */, or use // for one line.)"},
      {"TX0006", "too many tokens",
       R"(A file may have a million tokens. This guards against files that would exhaust memory
before anything could be said about them.

    pfifo q0 {}; pfifo q1 {}; pfifo q2 {}; …

Split the file and import the parts, or say the same in one line: `pfifo q[N] {};`.)"},
      {"TX0007", "a file that cannot be read",
       R"(The file is not there, may not be read, is too large (16 MB), or is no file at all: a
directory, a pipe, a device.

    txproof check model/stacks

Name a file in it: `txproof check model/stacks/bonding.tx`. For a pipe, use - and standard input.)"},
      {"TX0008", "an import that is not found",
       R"(An import is looked up beside the importing file, then in each root (--root), then in
the library that comes with the tool. The note says where this one was looked for.

    import "linux/2.6.34/skbufff.tx";

Mend the path, or add the folder that it starts from: --root model.)"},
      {"TX0009", "imports in a circle",
       R"(A file imports another that, perhaps through more files, imports the first. The notes
show each import of the circle.

    // a.tx                      // b.tx
    import "b.tx";               import "a.tx";

Move what both need to a third file. Within one model names may be used before their line,
so that an import is needed only once in the whole tree.)"},
      {"TX0010", "an import from outside the roots",
       R"(Models come from strangers, so imports read only below the folder of the main file and
the roots. An absolute path, a path with too many `..` and a link that leads out are refused.

    import "/etc/passwd";        import "../../secret.tx";

Give the folder as a root (--root DIR) and import relative to it.)"},
      {"TX0011", "too many or too large imports",
       R"(One model may have 1000 files, 64 MB in all, and imports 100 deep.

    import "part1.tx";           // which imports part2.tx, which imports part3.tx, …

Import the parts side by side in one file.)"},
  };
}

}  // namespace txproof::lang
