#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Questions to a large store, whole process, start to end, turn about in one run:
#
# | question | beside |
# |---|---|
# | the newest value, as text and as JSON | a Python that does nothing |
# | the history of 90 days, and every sample of the store | the same rows printed by `sqlite3 -json` |
# | the import of 100,000 exported samples | a Python that decodes the same lines and inserts their members |
# | the sensors, the statistics of everything | – |
#
#     LIBRE_BENCH_STORE=million.sqlite tools/Benchmarks/.build/release/Benchmarks      (`make bench` builds it; makes the store)
#     tools/Benchmarks/store-time.sh .build/release/libre million.sqlite
#
# Prints the medians, the ratios and the memory for statistics; exit status 1 if a ratio is over its limit. RUNS=50 asks
# for more runs of the short questions.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 LIBRE-BINARY STORE" >&2
  exit 64
fi
[ -x "$1" ] || { echo "$0: $1 is not a program" >&2; exit 66; }
[ -r "$2" ] || { echo "$0: $2 cannot be read" >&2; exit 66; }
command -v sqlite3 >/dev/null || { echo "$0: sqlite3 is missing. Try: tools/install bench" >&2; exit 69; }

RUNS="${RUNS:-41}" exec /usr/bin/python3 -B - "$(dirname "$0")" "$1" "$2" <<'PYTHON'
import json, os, statistics, subprocess, sys, tempfile, time

sys.path.insert(0, sys.argv[1])
from processes import milliseconds, noted_peak, noting_peak

libre, store = sys.argv[2:]
runs = max(30, int(os.environ["RUNS"]))
long_runs = 5
imported_lines = 100_000

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
lines, copy = f"{folder.name}/lines.ndjson", f"{folder.name}/copy.sqlite"

# What a script does that has only the standard library.
script = """
import json, sqlite3, sys
copy = sqlite3.connect(sys.argv[2])
copy.execute('''CREATE TABLE sample (uid, wear, ring, minute, time, glucose, temperature, temperature_adjustment,
  has_error, error_field, quality, temperature_c, glucose_mg_dl, PRIMARY KEY (uid, wear, ring, minute)) WITHOUT ROWID''')
def row(line):
    sample = json.loads(line)
    raw = sample['raw']
    return (sample['uid'], sample['wear'], sample['ring'], sample['minute'], sample['time'], raw['glucose'],
      raw['temperature'], raw['temperature_adjustment'], raw['has_error'], raw['error_field'], sample['quality'],
      sample['temperature_c'], sample['glucose_mg_dl'])
copy.executemany('INSERT INTO sample VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)', map(row, open(sys.argv[1])))
copy.commit()
"""
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
    "libre import": [libre, "import", lines, "--quiet", "--store", copy],
    "python3, import": ["/usr/bin/python3", "-S", "-c", script, lines, copy],
    "libre stats": [libre, "stats", "--from", "all", "--store", store],
}
limits = [
    ("libre latest", "python3 -S -c pass", 1.2),
    ("libre latest --json", "python3 -S -c pass", 0.75),
    ("libre history, 90 days", "sqlite3, 90 days", 1.2),
    ("libre history --json", "sqlite3 -json", 1.2),
    ("libre history --ndjson", "sqlite3 -json", 1.2),
    ("libre import", "python3, import", 1.5),
]


def run(command, output=subprocess.PIPE):
    """What the command prints."""
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return process.stdout


def remove_copy():
    for suffix in ["", "-wal", "-shm"]:
        if os.path.exists(copy + suffix):
            os.remove(copy + suffix)


ours = len(json.loads(run(short["libre history, 90 days"]))["samples"])
theirs = len(json.loads(run(short["sqlite3, 90 days"])))
# A minute may pass between the two.
if theirs == 0 or abs(ours - theirs) > 1:
    sys.exit(f"history shows {ours} samples, SQLite {theirs}")
count = int(run(["sqlite3", "-readonly", store, "SELECT count(*) FROM sample"]))
print(f"a store of {count} samples, {ours} of them in 90 days of history")
with open(lines, "wb") as file:
    run(history + ["all", "--ring", "all", "--ndjson", "--limit", str(imported_lines)], file)

times = {name: [] for name in short | long}
for commands, number in [(short, runs), (long, long_runs)]:
    for turn in range(number + 1):
        for name, command in commands.items():
            remove_copy()
            elapsed = milliseconds(command)
            if turn > 0:  # the first fills the page cache
                times[name].append(elapsed)

medians = {name: statistics.median(values) for name, values in times.items()}
for name, median in medians.items():
    print(f"{name:<24}{median:10.2f} ms   (median of {len(times[name])})")
note = f"{folder.name}/peak"
run(noting_peak(long["libre stats"], note))
print(f"{'libre stats':<24}{noted_peak(note) / 1e6:10.1f} MB")
failed = False
for one, other, limit in limits:
    ratio = medians[one] / medians[other]
    print(f"{one + ' / ' + other:<48}{ratio:6.2f}   (limit {limit:g})")
    failed = failed or ratio > limit
sys.exit(failed)
PYTHON
