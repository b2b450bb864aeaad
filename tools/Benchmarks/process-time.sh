#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The whole process, start to end: `libre decode FILE --json` beside a Python that does nothing, turn about in one run.
#
#     tools/Benchmarks/process-time.sh .build/release/libre dump.bin
#
# Prints both medians and their ratio; exit status 1 if libre takes more than three quarters of its time. RUNS=50 asks
# for more runs.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 LIBRE-BINARY DUMP" >&2
  exit 64
fi
[ -x "$1" ] || { echo "$0: $1 is not a program" >&2; exit 66; }
[ -r "$2" ] || { echo "$0: $2 cannot be read" >&2; exit 66; }

RUNS="${RUNS:-41}" exec /usr/bin/python3 -B - "$(dirname "$0")" "$1" "$2" <<'PYTHON'
import os, statistics, sys

sys.path.insert(0, sys.argv[1])
from processes import milliseconds

libre, dump = sys.argv[2:]
runs = max(30, int(os.environ["RUNS"]))
limit = 0.75
commands = {
    "libre decode --json": [libre, "decode", dump, "--json"],
    "python3 -S -c pass": ["/usr/bin/python3", "-S", "-c", "pass"],
}

times = {name: [] for name in commands}
for run in range(runs + 1):
    for name, command in commands.items():
        elapsed = milliseconds(command)
        if run > 0:  # the first fills the page cache
            times[name].append(elapsed)

medians = [statistics.median(values) for values in times.values()]
for name, median in zip(times, medians):
    print(f"{name:<22}{median:8.2f} ms   (median of {runs})")
ratio = medians[0] / medians[1]
print(f"{'ratio':<22}{ratio:8.2f}")
if ratio > limit:
    sys.exit(f"libre takes {ratio:.2f} times as long as an empty Python; the limit is {limit}")
PYTHON
