"""Runs SPIN, rumur and txproof on the reference model, interleaved, and prints the medians.

Called by bench/run. What is timed is the whole process from start to end, without the compilation
of a peer's checker; memory is the peak resident size. Fails if two tools count differently.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZES = {  # N sockets, S packets charged for each, Q in the qdisc, R in the ring
    "small": (4, 2, 4, 3),
    "medium": (4, 3, 5, 3),
    "large": (4, 4, 5, 4),
}


class Run:
    """One run of a command: its output, wall seconds and peak memory in bytes."""

    def __init__(self, command, folder):
        started = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.monotonic() - started
        self.bytes = usage.ru_maxrss * 1024
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"bench: {' '.join(map(str, command))} ended with {process.returncode}")


def spin_counts(output):
    states = int(re.search(r"^\s*(\d+) states, stored", output, re.M).group(1))
    transitions = int(re.search(r"^\s*(\d+) transitions", output, re.M).group(1))
    return states, transitions - 1  # SPIN counts one for the initial state


def rumur_counts(output):
    states, rules = re.search(r"(\d+) states, (\d+) rules fired in", output).groups()
    return int(states), int(rules)


def txproof_counts(output):
    result = json.loads(output)["results"][0]
    return int(result["states"]), int(result["transitions"])


def tools(size, numbers, options):
    """Builds the peers for a size; gives each tool's command and how to read its counts."""
    folder = options.work / size
    for peer in ("spin", "rumur"):
        subprocess.run([HERE / "peers/build.sh", peer, *map(str, numbers), folder / peer],
                       check=True, stdout=subprocess.DEVNULL)
    sets = [word for name, value in zip("NSQR", numbers) for word in ("--set", f"{name}={value}")]

    def txproof(model):
        return ([options.tool, "check", str(HERE / model), *sets,
                 "--jobs", str(options.jobs), "--format", "json"], txproof_counts)

    found = {
        "spin bfs": ([folder / "spin/spin", "-E", "-w25"], spin_counts),
        "rumur": ([folder / "rumur/rumur", "--threads", str(options.jobs)], rumur_counts),
        "txproof": txproof("reference.tx"),
    }
    if options.linear:
        found["…linear"] = txproof("reference-linear.tx")
    return found


def compare(size, options):
    commands = tools(size, SIZES[size], options)
    runs = {name: [] for name in commands}
    counts = {}
    for _ in range(options.runs):
        for name, (command, read_counts) in commands.items():
            run = Run(command, options.work)
            runs[name].append(run)
            counts[name] = read_counts(run.output)
    if len(set(counts.values())) != 1:
        sys.exit(f"bench: the tools count differently at size {size}: {counts}")

    states, transitions = counts["txproof"]
    print(f"{size}: {states} states, {transitions} transitions, "
          f"median of {options.runs} runs")
    print(f"  {'tool':<10}{'seconds':>9}{'min':>8}{'max':>8}{'k states/s':>12}"
          f"{'to spin bfs':>13}{'peak MiB':>10}{'B/state':>9}")
    reference = statistics.median(run.seconds for run in runs["spin bfs"])
    for name, of_tool in runs.items():
        seconds = [run.seconds for run in of_tool]
        median = statistics.median(seconds)
        memory = statistics.median(run.bytes for run in of_tool)
        print(f"  {name:<10}{median:>9.3f}{min(seconds):>8.3f}{max(seconds):>8.3f}"
              f"{states / median / 1000:>12.0f}{reference / median:>13.2f}"
              f"{memory / 2**20:>10.0f}{memory / states:>9.0f}")


def main():
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", default=[], metavar="SIZE",
                        help="small, medium or large; the first two if none is named")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="threads for rumur and txproof")
    parser.add_argument("--linear", action="store_true",
                        help="also the model whose packets are linear structs")
    parser.add_argument("--tool", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--work", required=True, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = options.sizes or ["small", "medium"]
    unknown = [size for size in sizes if size not in SIZES]
    if unknown:
        parser.error(f"unknown size {unknown[0]}; there are {', '.join(SIZES)}")
    options.work.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        compare(size, options)


if __name__ == "__main__":
    main()
