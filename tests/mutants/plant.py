#!/usr/bin/env python3
"""plant.py ROOT LIST DEST: copies of the files named in LIST, with every mutant in them, to DEST.

Where the original is a statement, `if (mutant N) mutated else original`; otherwise the same with
`?:`. So the sources themselves carry nothing. An original that is not there exactly once is an
error: the list has to be kept in step.
"""
import os
import re
import sys

HELPER = """#pragma once
#include <cstdlib>
// The mutant that is on, by the environment; 0: none.
inline int txproof_mutant() {
  static const int number = [] {
    const char* const text = std::getenv("TXPROOF_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return number;
}
"""


def read_list(path):
    mutants = []
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("#") or not line:
            continue
        if line.startswith("- "):
            mutants[-1][2].append(line[2:])
        elif line.startswith("+ "):
            mutants[-1][3] = line[2:]
        else:
            number, name = line.split()
            mutants.append([int(number), name, [], ""])
    return mutants


def pattern(original):
    """The original, whatever white space lies between its words."""
    words = re.findall(r"\w+|[^\w\s]", " ".join(original))
    return re.compile(r"\s*".join(re.escape(word) for word in words))


MACRO = re.compile(r"(TXPROOF_\w+\(\w+, )(.*)\)$")


def planted(number, original, mutated):
    test = f"txproof_mutant() == {number}"
    macro = MACRO.match(original)
    if macro:  # a macro whose argument changes
        inside, other = macro.group(2), MACRO.match(mutated).group(2)
        return f"{macro.group(1)}({test} ? ({other}) : ({inside})))"
    if original.rstrip().endswith("{"):  # the head of an if
        condition = re.match(r"if \((.*)\) \{$", original, re.S).group(1)
        other = re.match(r"if \((.*)\) \{$", mutated, re.S).group(1)
        return f"if ({test} ? ({other}) : ({condition})) {{"
    declared = re.match(r"(bool \w+ = )(.*);$", original, re.S)
    if declared:
        other = mutated[len(declared.group(1)) : -1]
        return f"{declared.group(1)}{test} ? ({other}) : ({declared.group(2)});"
    if original.rstrip().endswith(";"):
        return f"if ({test}) {{ {mutated} }} else {{ {original} }}"
    return f"({test} ? ({mutated}) : ({original}))"


def main():
    root, listed, dest = sys.argv[1:4]
    files = {}
    for number, name, original, mutated in read_list(listed):
        text = files.get(name) or open(os.path.join(root, name)).read()
        found = list(pattern(original).finditer(text))
        if len(found) != 1:
            sys.exit(f"mutant {number}: its original is {len(found)} times in {name}: {original}")
        at = found[0]
        files[name] = text[: at.start()] + planted(number, at.group(0), mutated) + text[at.end() :]
    os.makedirs(dest, exist_ok=True)
    write(os.path.join(dest, "txproof_mutant.h"), HELPER)
    for name, text in files.items():
        include = '#include "txproof_mutant.h"\n'
        if text.startswith("#pragma once"):
            text = text.replace("#pragma once\n", "#pragma once\n" + include, 1)
        elif "#pragma once\n" in text:
            text = text.replace("#pragma once\n", "#pragma once\n" + include, 1)
        else:
            text = include + text
        write(os.path.join(dest, name), text)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path) and open(path).read() == text:
        return  # unchanged: nothing is built again
    with open(path, "w") as out:
        out.write(text)


main()
