#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Two questions to a large store, whole process, start to end, turn about in one run: `libre latest` beside a Python that
# does nothing, and `libre history --from -90d --json` beside the same rows printed by `sqlite3 -json`.
#
#     LIBRE_BENCH_STORE=million.sqlite swift run -c release Benchmarks      (in tools/Benchmarks; makes the store)
#     tools/Benchmarks/store-time.sh .build/release/libre million.sqlite
#
# Prints the medians and their ratios; exit status 1 if latest takes more than three times as long, or history more than
# five times. RUNS=50 asks for more runs.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 LIBRE-BINARY STORE" >&2
  exit 64
fi
[ -x "$1" ] || { echo "$0: $1 is not a program" >&2; exit 66; }
[ -r "$2" ] || { echo "$0: $2 cannot be read" >&2; exit 66; }
command -v sqlite3 >/dev/null || { echo "$0: sqlite3 is missing. Try: tools/install bench" >&2; exit 69; }

RUNS="${RUNS:-41}" exec /usr/bin/python3 - "$1" "$2" <<'PYTHON'
import json, os, statistics, subprocess, sys, time

libre, store = sys.argv[1:]
runs = max(30, int(os.environ["RUNS"]))

# The samples of the last 90 days, found by the same keys: the minutes of each wear. CROSS keeps SQLite from reading every
# sample instead, which takes it ten times as long.
start = int(time.time()) - 90 * 86400
rows = f"""
    SELECT sensor.uid, sensor.serial, wear.number AS wear, sample.ring, sample.minute,
      wear.activated_at + 60 * sample.minute AS time, sample.glucose, sample.temperature, sample.temperature_adjustment,
      sample.has_error, sample.error_field, sample.quality, sample.temperature_c, sample.glucose_mg_dl,
      calibration.model, calibration.version, calibration.parameters
    FROM wear CROSS JOIN sensor ON sensor.id = wear.sensor
      CROSS JOIN sample ON sample.wear = wear.id AND sample.ring = 0
        AND sample.minute >= ({start} - wear.activated_at + 59) / 60
      LEFT JOIN calibration ON calibration.id = sample.calibration
    ORDER BY time DESC"""
commands = {
    "libre latest": [libre, "latest", "--store", store],
    "python3 -S -c pass": ["/usr/bin/python3", "-S", "-c", "pass"],
    "libre history": [libre, "history", "--from", "-90d", "--json", "--store", store],
    "sqlite3 -json": ["sqlite3", "-readonly", "-json", store, rows],
}
limits = [("libre latest", "python3 -S -c pass", 3.0), ("libre history", "sqlite3 -json", 5.0)]


def run(command):
    begin = time.perf_counter_ns()
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False)
    end = time.perf_counter_ns()
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return (end - begin) / 1e6, done.stdout


ours = len(json.loads(run(commands["libre history"])[1])["samples"])
theirs = len(json.loads(run(commands["sqlite3 -json"])[1]))
# A minute may pass between the two.
if theirs == 0 or abs(ours - theirs) > 1:
    sys.exit(f"history shows {ours} samples, SQLite {theirs}")
count = run(["sqlite3", "-readonly", store, "SELECT count(*) FROM sample"])[1].decode().strip()
print(f"a store of {count} samples, {ours} of them in 90 days of history")

times = {name: [] for name in commands}
for number in range(runs + 1):
    for name, command in commands.items():
        elapsed = run(command)[0]
        if number > 0:  # the first fills the page cache
            times[name].append(elapsed)

medians = {name: statistics.median(values) for name, values in times.items()}
for name, median in medians.items():
    print(f"{name:<22}{median:8.2f} ms   (median of {runs})")
failed = False
for one, other, limit in limits:
    ratio = medians[one] / medians[other]
    print(f"{one + ' / ' + other:<40}{ratio:6.2f}   (limit {limit:g})")
    failed = failed or ratio > limit
sys.exit(failed)
PYTHON
