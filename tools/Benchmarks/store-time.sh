#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Questions to a large store, whole process, start to end, turn about in one run:
#
# | question | beside |
# |---|---|
# | the newest value, as text and as JSON | a Python that does nothing |
# | the history of 90 days, and every sample of the store | the same rows printed by `sqlite3 -json` |
# | the sensors, the statistics of everything | – |
#
#     LIBRE_BENCH_STORE=million.sqlite tools/Benchmarks/.build/release/Benchmarks      (`make bench` builds it; makes the store)
#     tools/Benchmarks/store-time.sh .build/release/libre million.sqlite
#
# Prints the smallest times, the ratios and the memory for statistics; exit status 1 if a ratio is over its limit. Long
# questions are judged by their processor time. RUNS=500 asks for more runs of the short ones.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 LIBRE-BINARY STORE" >&2
  exit 64
fi
[ -x "$1" ] || { echo "$0: $1 is not a program" >&2; exit 66; }
[ -r "$2" ] || { echo "$0: $2 cannot be read" >&2; exit 66; }
command -v sqlite3 >/dev/null || { echo "$0: sqlite3 is missing. Try: tools/install bench" >&2; exit 69; }

RUNS="${RUNS:-101}" exec /usr/bin/python3 -B - "$(dirname "$0")" "$1" "$2" <<'PYTHON'
import json, os, subprocess, sys, tempfile, time

sys.path.insert(0, sys.argv[1])
from processes import noted_peak, noting_peak, smallest

libre, store = sys.argv[2:]
runs = max(30, int(os.environ["RUNS"]))
long_runs = 5

# The samples since a time, found by the same keys: the minutes of each wear. CROSS keeps SQLite from reading every
# sample instead, which takes it ten times as long.
def rows(condition):
    return f"""
    SELECT sensor.uid, sensor.serial, wear.number AS wear, sample.ring, sample.minute,
      wear.activated_at + 60 * sample.minute AS time, sample.glucose, sample.temperature, sample.temperature_adjustment,
      sample.has_error, sample.error_field, sample.quality, sample.temperature_c, sample.glucose_mg_dl,
      calibration.model, calibration.version, calibration.parameters
    FROM wear CROSS JOIN sensor ON sensor.id = wear.sensor
      CROSS JOIN sample ON sample.wear = wear.id {condition}
      LEFT JOIN calibration ON calibration.id = sample.calibration
    ORDER BY time DESC"""


start = int(time.time()) - 90 * 86400
recent = rows(f"AND sample.ring = 0 AND sample.minute >= ({start} - wear.activated_at + 59) / 60")
folder = tempfile.TemporaryDirectory()
query = ["sqlite3", "-readonly", "-json", store]
history = [libre, "history", "--store", store, "--from"]
short = {
    "libre latest": [libre, "latest", "--store", store],
    "libre latest --json": [libre, "latest", "--json", "--store", store],
    "python3 -S -c pass": ["/usr/bin/python3", "-S", "-c", "pass"],
    "libre history, 90 days": history + ["-90d", "--json"],
    "sqlite3, 90 days": query + [recent],
    "libre sensors": [libre, "sensors", "--store", store],
}
long = {
    "libre history --json": history + ["all", "--ring", "all", "--json"],
    "libre history --ndjson": history + ["all", "--ring", "all", "--ndjson"],
    "sqlite3 -json": query + [rows("")],
    "libre stats": [libre, "stats", "--from", "all", "--store", store],
}
ELAPSED, WORK = 0, 1
# A start is held against that of an interpreter that does nothing, which it was 0.73 of as JSON and 0.92 of as text: the
# text has a picture. What is printed is held against the C program that reads the same rows: it was 1.13, with the start
# of the process in it, 0.97 and 1.02.
limits = [
    ("libre latest", "python3 -S -c pass", ELAPSED, 1.2),
    ("libre latest --json", "python3 -S -c pass", ELAPSED, 1.0),
    ("libre history, 90 days", "sqlite3, 90 days", WORK, 1.3),
    ("libre history --json", "sqlite3 -json", WORK, 1.2),
    ("libre history --ndjson", "sqlite3 -json", WORK, 1.2),
]


def run(command):
    """What the command prints."""
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return process.stdout


ours = len(json.loads(run(short["libre history, 90 days"]))["samples"])
theirs = len(json.loads(run(short["sqlite3, 90 days"])))
# A minute may pass between the two.
if theirs == 0 or abs(ours - theirs) > 1:
    sys.exit(f"history shows {ours} samples, SQLite {theirs}")
count = int(run(["sqlite3", "-readonly", store, "SELECT count(*) FROM sample"]))
print(f"a store of {count} samples, {ours} of them in 90 days of history")

times = {**smallest(short, runs), **smallest(long, long_runs)}
for name, (elapsed, work) in times.items():
    print(f"{name:<24}{elapsed:10.2f} ms, {work:10.2f} ms of processor time")
note = f"{folder.name}/peak"
run(noting_peak(long["libre stats"], note))
print(f"{'libre stats':<24}{noted_peak(note) / 1e6:10.1f} MB")
failed = False
for one, other, which, limit in limits:
    ratio = times[one][which] / times[other][which]
    print(f"{one + ' / ' + other:<48}{ratio:6.2f}   (at most {limit:g})")
    failed = failed or ratio > limit
sys.exit(failed)
PYTHON
