#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes one target, or all one after the other, with libFuzzer and the address sanitizer. An input that makes one fail is
# kept in SensorDumps/fuzz/crashes, where the tests find it; what was found on the way stays in tools/Fuzz/.build/corpus.
#
#   tools/Fuzz/run.sh TARGET|all SECONDS|RUNSx [SEED]    600 for ten minutes, 10000000x for so many inputs
#   tools/Fuzz/run.sh --regressions                      every input that was kept, once
#   tools/Fuzz/run.sh --list                             the targets
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  sed -n 's/^#   //p' "$0" >&2
  exit 64
}

binary=.build/release/Fuzz
corpus=.build/corpus
seeds=.build/seeds
crashes=../../SensorDumps/fuzz/crashes
# Without the first, Swift's own crash handler takes the signal and no input is kept.
export SWIFT_BACKTRACE=enable=no
export LSAN_OPTIONS=suppressions=$PWD/leaks.supp:print_suppressions=0
# Short stacks and a small quarantine: twice as many inputs in the same time.
export ASAN_OPTIONS=malloc_context_size=8:quarantine_size_mb=32

build() {
  mkdir -p .build
  # One comma-joined option: of two, the compiler obeys one. The targets look behind the libraries' public faces.
  swift build -c release --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing --product Fuzz \
    >.build/build.log 2>&1 || { cat .build/build.log >&2; exit 1; }
  rm -rf "$seeds"
  mkdir -p "$seeds" "$crashes"
  LIBRE_FUZZ_SEEDS=$seeds "$binary" >.build/targets
}

# fuzz TARGET LONGEST LIMIT SEED
fuzz() {
  local log=.build/$1.log limit dictionary=() status=0 started=$SECONDS
  case $3 in
    *x) limit=-runs=${3%x} ;;
    *) limit=-max_total_time=$3 ;;
  esac
  [ ! -e "$seeds/$1.dict" ] || dictionary=("-dict=$seeds/$1.dict")
  mkdir -p "$corpus/$1"
  LIBRE_FUZZ_TARGET=$1 "$binary" -max_len="$2" "$limit" -seed="$4" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
    "${dictionary[@]}" -artifact_prefix="$crashes/$1-" "$corpus/$1" "$seeds/$1" >"$log" 2>&1 || status=$?
  echo "$1: $(awk '/number_of_executed_units/ { print $2 }' "$log") runs in $((SECONDS - started)) s, exit status $status"
  if [ $status -ne 0 ]; then
    grep -E "^$1: |Fatal|ERROR|SUMMARY|Test unit written" "$log" >&2 || tail -20 "$log" >&2
    return 1
  fi
}

regressions() {
  local file name longest target failed=0
  for file in "$crashes"/*; do
    [ -f "$file" ] && [ "${file##*.}" != md ] || continue
    target=
    # Of those whose names the file's begins with, the longest.
    while read -r name longest; do
      case $(basename "$file") in "$name"-*) [ ${#name} -le ${#target} ] || target=$name ;; esac
    done <.build/targets
    LIBRE_FUZZ_TARGET=$target "$binary" "$file" >.build/regression.log 2>&1 || {
      echo "$file: fails" >&2
      failed=1
    }
  done
  return $failed
}

case "$#:${1:-}" in
  1:--list) build && awk '{ print $1 }' .build/targets ;;
  1:--regressions) build && regressions ;;
  2:* | 3:*)
    [[ $2 =~ ^[0-9]+x?$ ]] || usage
    build
    failed=0
    found=0
    while read -r name longest; do
      [ "$1" = all ] || [ "$1" = "$name" ] || continue
      found=1
      fuzz "$name" "$longest" "$2" "${3:-1}" </dev/null || failed=1
    done <.build/targets
    [ $found -eq 1 ] || usage
    exit $failed
    ;;
  *) usage ;;
esac
