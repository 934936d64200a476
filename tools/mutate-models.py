#!/usr/bin/env python3
"""Mutates every function of model/linux that some stack runs, and says what no stack noticed.

usage: ./test mutate-models [STACK.tx...]      (default: every stack of model/stacks)

A fault in the library is killed if the properties of any stack tell. Prints a table of the kill rate
of each stack, then, for each library file, the faults that live in every stack that runs them.
build/mutants/ keeps the report of each stack, and a stack whose report is there is not run again:
remove the folder after a change.
"""
import collections
import json
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
reports = root / "build" / "mutants"


# Stacks whose defaults leave a mechanism idle are also run at these sizes.
larger = {"bonding": [["W=4"], ["SOCKETS=2", "W=2", "R=1"]]}


def mutate(stack, settings):
    """The report of one stack, or None where it cannot be mutated as it is."""
    kept = reports / ("-".join([stack.stem] + settings) + ".json")
    if not kept.exists():
        command = [root / "build/release/txproof", "mutate", stack.relative_to(root),
                   "--format", "json", "--time-limit", "20", "-o", kept]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, cwd=root, stderr=subprocess.PIPE, text=True, check=False)
        if not kept.exists():
            last = (done.stderr.strip().splitlines() or ["no report"])[-1]
            print(f"{stack.name}: {last}", file=sys.stderr)
            return None
    return json.loads(kept.read_text())


def main():
    stacks = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    stacks = stacks or sorted((root / "model/stacks").glob("*.tx"))
    reports.mkdir(parents=True, exist_ok=True)
    fates = collections.defaultdict(set)
    rows = {}
    print("| stack | killed | of | kill rate | undecided |\n|---|---|---|---|---|")
    runs = [(stack, sizes) for stack in stacks for sizes in [[]] + larger.get(stack.stem, [])]
    for stack, sizes in runs:
        report = mutate(stack, sizes)
        if report is None:
            continue
        of = report["killed"] + report["survived"]
        print(f"| {' '.join([stack.stem] + sizes)} | {report['killed']} | {of} | "
              f"{100 * report['killed'] // max(of, 1)} % | {report['undecided']} |", flush=True)
        for row in report["results"]:
            if not row["file"].startswith("model/linux/"):
                continue
            key = (row["file"], row["line"], row["diff"])
            fates[key].add(row["fate"])
            rows[key] = row
    told = sum("killed" in seen for seen in fates.values())
    judged = sum(bool({"killed", "survived"} & seen) for seen in fates.values())
    print(f"\nmodel/linux: {told} of {judged} faults are noticed by some stack "
          f"({100 * told // max(judged, 1)} %)\n")
    file = None
    for key in sorted(fates):
        if "survived" not in fates[key] or "killed" in fates[key]:
            continue
        row = rows[key]
        if file != row["file"]:
            file = row["file"]
            print(f"{file}")
        edit = [line for line in row["diff"].splitlines()[3:] if line[:1] in "+-"]
        text = " => ".join(line[1:].strip() for line in edit if line.strip())
        print(f"  {row['line']}: {row['function']}: {row['fault']}: {text}")


if __name__ == "__main__":
    main()
