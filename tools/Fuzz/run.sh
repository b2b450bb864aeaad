#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes targets with libFuzzer and the address sanitizer, as many at once as there are cores. An input that makes one
# fail is kept in SensorDumps/fuzz/crashes, where the tests find it; what was found on the way stays in
# tools/Fuzz/.build/corpus.
#
#   tools/Fuzz/run.sh TARGET SECONDS|RUNSx [SEED]    600 for ten minutes, 10000000x for so many inputs
#   tools/Fuzz/run.sh --regressions                  every input that was kept, once
#   tools/Fuzz/run.sh --list                         the targets; TARGET is one, or a pattern: 'import-*'
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  sed -n 's/^#   //p' "${0##*/}" >&2
  exit 64
}

binary=.build/release/Fuzz
corpus=.build/corpus
seeds=.build/seeds
crashes=../../SensorDumps/fuzz/crashes
# Without the first, Swift's own crash handler takes the signal and no input is kept.
export SWIFT_BACKTRACE=enable=no
export LSAN_OPTIONS=suppressions=$(realpath ../sanitizers)/leaks.supp:print_suppressions=0
# Short stacks and a small quarantine: twice as many inputs in the same time.
export ASAN_OPTIONS=malloc_context_size=8:quarantine_size_mb=32

build() {
  mkdir -p .build
  # One comma-joined option: of two, the compiler obeys one. The targets look behind the modules' faces. Without the
  # trait Serve: what is fuzzed needs no HTTP server, which takes minutes to build.
  (cd ../.. && LIBRE_TOOLS=1 tools/build -c release --scratch-path tools/Fuzz/.build --product Fuzz \
    --traits PCSC,LibNFC,CURL,SQLite --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address \
    -Xswiftc -enable-testing) >.build/build.log 2>&1 || { cat .build/build.log >&2; exit 1; }
  rm -rf "$seeds"
  mkdir -p "$seeds" "$crashes"
  LIBRE_FUZZ_SEEDS=$seeds "$binary" >.build/targets
}

# fuzz LIMIT SEED TARGET LONGEST
fuzz() {
  local name=$3 log=.build/$3.log limit dictionary=() status=0 started=$SECONDS
  case $1 in
    *x) limit=-runs=${1%x} ;;
    *) limit=-max_total_time=$1 ;;
  esac
  [ ! -e "$seeds/$name.dict" ] || dictionary=("-dict=$seeds/$name.dict")
  mkdir -p "$corpus/$name"
  LIBRE_FUZZ_TARGET=$name "$binary" -max_len="$4" "$limit" -seed="$2" -timeout=30 -rss_limit_mb=4096 \
    -print_final_stats=1 "${dictionary[@]}" -artifact_prefix="$crashes/$name-" "$corpus/$name" "$seeds/$name" \
    >"$log" 2>&1 || status=$?
  echo "$name: $(awk '/number_of_executed_units/ { print $2 }' "$log") runs in $((SECONDS - started)) s, exit status $status"
  if [ $status -ne 0 ]; then
    grep -E "^$name: |Fatal|ERROR|SUMMARY|Test unit written" "$log" >&2 || tail -20 "$log" >&2
    return 1
  fi
}

regressions() {
  local file count=0 failed=0
  for file in "$crashes"/*; do
    [ -f "$file" ] && [ "${file##*.}" != md ] || continue
    count=$((count + 1))
    "$binary" "$file" >.build/regression.log 2>&1 || { cat .build/regression.log >&2; echo "$file: fails" >&2; failed=1; }
  done
  echo "$count kept inputs run"
  return $failed
}

case "$#:${1:-}" in
  1:--list) build && awk '{ print $1 }' .build/targets ;;
  1:--regressions) build && regressions ;;
  2:* | 3:*)
    [[ $2 =~ ^[0-9]+x?$ ]] || usage
    build
    chosen=$(while read -r name longest; do [[ $name != $1 ]] || echo "$name $longest"; done <.build/targets)
    [ -n "$chosen" ] || usage
    export -f fuzz
    export binary corpus seeds crashes
    xargs -L 1 -P "$(nproc)" bash -euo pipefail -c 'fuzz "$@"' fuzz "$2" "${3:-1}" <<<"$chosen"
    ;;
  *) usage ;;
esac
