#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes one target, or all, with libFuzzer and the address sanitizer. An input that crashes is kept in
# SensorDumps/fuzz/crashes.
#
#   tools/Fuzz/run.sh TARGET|all SECONDS [SEED]
set -euo pipefail
cd "$(dirname "$0")"

usage='usage: tools/Fuzz/run.sh FuzzDecoder|FuzzResealed|FuzzDump|FuzzTrace|all SECONDS [SEED]'
targets=(FuzzDecoder FuzzResealed FuzzDump FuzzTrace)
[ "${1:?$usage}" = all ] || targets=("$1")
seconds=${2:?$usage}
seed=${3:-1}
crashes=../../SensorDumps/fuzz/crashes
mkdir -p "$crashes"

# The seeds are our dumps: as they are for the reader of files, as bytes for the decoders; and our recordings.
python3 - <<'PYTHON'
import pathlib

def add(target, name, seed):
    folder = pathlib.Path(".build/corpus") / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(seed)

for dump in pathlib.Path("../../SensorDumps/libre1").glob("*.hex"):
    digits = "".join(line for line in dump.read_text().splitlines() if not line.startswith("#")).replace(" ", "")
    add("FuzzDump", dump.stem, dump.read_bytes())
    if not set(digits) - set("0123456789ABCDEF"):
        for target in ["FuzzDecoder", "FuzzResealed"]:
            add(target, dump.stem, bytes.fromhex(digits))
for trace in pathlib.Path("../../SensorDumps/traces").glob("*.trace"):
    add("FuzzTrace", trace.stem, trace.read_bytes())
PYTHON

for target in "${targets[@]}"; do
  log=.build/$target.log
  # One comma-joined option: of two, the compiler obeys one.
  swift build -c release --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address --product "$target" >"$log" 2>&1 \
    || { cat "$log" >&2; exit 1; }
  # Without the variable, Swift's own crash handler takes the signal and no input is kept.
  status=0
  SWIFT_BACKTRACE=enable=no ".build/release/$target" -max_len=4096 -max_total_time="$seconds" -seed="$seed" \
    -print_final_stats=1 -artifact_prefix="$crashes/$target-" ".build/corpus/$target" >"$log" 2>&1 || status=$?
  echo "$target: $(awk '/number_of_executed_units/ { print $2 }' "$log") runs, exit status $status"
  if [ $status -ne 0 ]; then
    grep -E 'Fatal|ERROR|SUMMARY|Test unit written' "$log" >&2 || tail -20 "$log" >&2
    exit 1
  fi
done
