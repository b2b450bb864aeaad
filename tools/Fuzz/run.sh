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

# The seeds are our dumps: as they are for the reader of files, as bytes for the decoders; and our recordings. One of them
# is written in every other format too.
python3 - <<'PYTHON'
import base64
import json
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

memory = bytes.fromhex((pathlib.Path(".build/corpus/FuzzDump") / "active").read_text().split("Z\n")[1])
uid = bytes.fromhex("E007A00001234567")
info = bytes.fromhex("DF0000010100")
blocks = [memory[start:start + 8] for start in range(0, len(memory), 8)]

def spaced(data):
    return data.hex(" ").upper()

def text(block):
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in block)

def rows(head, row, tail=()):
    return "\n".join([*head, *(row(number, block) for number, block in enumerate(blocks)), *tail, ""])

def encoded(data):
    return base64.b64encode(data).decode()

card = {"uid": uid[::-1].hex().upper(), "bytesperpage": "08", "pagescount": "2B"}
pages = {str(number): block.hex().upper() for number, block in enumerate(blocks)}
locks = b"".join([uid[::-1], bytes(4), bytes([8, len(blocks), 0]), bytes(160)])
seeds = {
    "diable": rows(["NFC: sensor uid: " + uid[::-1].hex(), "NFC: did read 43 FRAM blocks:"],
                   lambda number, block: f"#{number:02x}  {spaced(block)}  {text(block)}"),
    "diable-address": rows(["FRAM:"], lambda number, block: f"{0xF860 + 8 * number:x}  {spaced(block)}  {text(block)}"),
    "libremonitor": rows(["# ID: " + uid.hex(":"), "# Memory content:"],
                         lambda number, block: f"{spaced(block)}  // {number}"),
    "libremonitor-wiki": rows([], lambda number, block: f" {8 * number:03} |  {number:02x} | {spaced(block)}"),
    "libremonitor-arduino": rows(["uid: " + uid.hex(":")], lambda number, block: f"The block #{number}:"
                                 + "".join(f"{byte:X} " for byte in block)),
    "proxmark-old": rows(["UID=" + spaced(uid)],
                         lambda number, block: f"Block {number:02x}   {spaced(block)}    {text(block)}"),
    "proxmark-console": rows(["[+] UID....... " + spaced(uid), "[=]  blk | data                    |lck| ascii"],
                             lambda number, block: f"[=] {number:4} | {spaced(block)} | 0 | {text(block)}",
                             ["[=]   ......"]),
    "proxmark-json": json.dumps({"Created": "proxmark3", "FileType": "15693 v4", "Card": card, "blocks": pages}),
    "proxmark-bin": locks + memory + bytes(2060 - len(memory)),
    "proxmark-eml": rows(["# uid: " + uid.hex()], lambda number, block: block.hex().upper()),
    "flipper": "\n".join([
        "Filetype: Flipper NFC device", "Version: 4", "Device type: ISO15693-3", "UID: " + spaced(uid),
        f"Block Count: {len(blocks)}", "Block Size: 08", "Data Content: " + spaced(memory),
        "Security Status: " + spaced(bytes(len(blocks))), ""]),
    "taginfo": rows(["** TagInfo scan (version 4.25.5) **", "ID: " + uid.hex(":").upper(), "# Memory content:"],
                    lambda number, block: f"[{number:02X}] . {spaced(block)} |{text(block)}|"),
    "librewifi": json.dumps({"libre_wifi_data": [{
        "BlockBytes": encoded(memory), "CaptureDateTime": 1714645080000, "patchUid": encoded(uid[::-1]),
        "patchInfo": encoded(info)}]}),
    "librealarm": json.dumps({"data": {"raw_data": [byte - 256 * (byte > 127) for byte in memory]}}),
    "oop-request": f"accesstoken=x&b64contents={encoded(memory)}&oldState=".replace("+", "%2B"),
    "oop-request-hex": f"content={memory.hex()}&patchUid={uid[::-1].hex()}&patchInfo={info.hex()}&timestamp=1714645080000",
    "bubble": uid[::-1] + memory,
    "miaomiao": bytes([0x28, 1, 0x6B, 0, 0]) + uid[::-1] + bytes(5) + memory + b")" + info,
    "decimal": str(list(memory)),
    "base64": encoded(memory),
    "raw": memory,
    "json": json.dumps({
        "schema": "libre.dump/1", "read_at": "2024-05-02T10:15:00Z",
        "sensor": {"uid": uid.hex(), "patch_info": info.hex()},
        "memory": {"bytes": memory.hex(), "missing_blocks": [3, 12]}}),
}
for name, seed in seeds.items():
    add("FuzzDump", name, seed if isinstance(seed, bytes) else seed.encode())

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
