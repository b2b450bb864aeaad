#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The whole process, start to end: `libre decode FILE --json` beside a Python that does nothing, turn about in one run.
#
#     tools/Benchmarks/process-time.sh .build/release/libre dump.bin
#
# Prints the smallest time of both and their ratio; exit status 1 if libre takes longer than the Python. RUNS=500 asks for
# more runs.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 LIBRE-BINARY DUMP" >&2
  exit 64
fi
[ -x "$1" ] || { echo "$0: $1 is not a program" >&2; exit 66; }
[ -r "$2" ] || { echo "$0: $2 cannot be read" >&2; exit 66; }

RUNS="${RUNS:-101}" exec /usr/bin/python3 -B - "$(dirname "$0")" "$1" "$2" <<'PYTHON'
import os, sys

sys.path.insert(0, sys.argv[1])
from processes import smallest

libre, dump = sys.argv[2:]
runs = max(30, int(os.environ["RUNS"]))
# libre, which decodes a file, starts faster than an interpreter that does nothing. It was 0.73 to 0.82 on two idle
# machines: what lies between depends on their disks, their libraries and the version of Python.
limit = 1.0
times = smallest({
    "libre decode --json": [libre, "decode", dump, "--json"],
    "python3 -S -c pass": ["/usr/bin/python3", "-S", "-c", "pass"],
}, runs)
for name, (elapsed, _) in times.items():
    print(f"{name:<22}{elapsed:8.2f} ms   (smallest of {runs})")
(ours, _), (empty, _) = times.values()
print(f"{'ratio':<22}{ours / empty:8.2f}   (at most {limit:g})")
if ours > limit * empty:
    sys.exit(f"libre takes {ours / empty:.2f} times as long as an empty Python; the limit is {limit:g}")
PYTHON
