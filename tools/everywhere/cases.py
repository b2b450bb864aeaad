# SPDX-License-Identifier: Apache-2.0
"""Decodes each case of standard input with the Python package, and writes the lines of Cases.swift.

PYTHONPATH=DIRECTORY python3 tools/everywhere/cases.py <CASES >RESULTS      DIRECTORY holds libre_cgm with liblibre.so.0
"""

import struct
import sys
from collections.abc import Mapping

import libre_cgm
from libre_cgm import _library


def bits(value: float | None) -> str:
    return "nan" if value is None else struct.pack(">d", value).hex().upper()


def number(value: int | None) -> int:
    return -1 if value is None else value


def sample_line(ring: str, sample: libre_cgm.Sample) -> str:
    errors = "-" if sample.errors is None else "".join(f"{name}," for name in sample.errors)
    values = (sample.temperature_c, sample.model_glucose_mg_dl, sample.glucose_mg_dl)
    return (
        f"{ring} {sample.minute} {sample.raw_glucose} {sample.raw_temperature} {sample.raw_temperature_adjustment} "
        f"{errors} {sample.quality} {' '.join(map(bits, values))}"
    )


def lines(memory: bytes, uid: bytes, patch_info: bytes, missing: int, flags: int) -> list[str]:
    blocks = [block for block in range(64) if missing >> block & 1]
    try:
        reading = libre_cgm.decode(
            memory, uid=uid or None, patch_info=patch_info or None, missing_blocks=blocks, salvage=flags == 1
        )
    except libre_cgm.DecodeError as error:
        checksums = " ".join(error.checksums)
        return [f"{error.code} {error.family} {checksums} unknown unknown -1 -1 -1 0 - - -1 nan nan 0 0 {error}"]
    problems = (reading.is_salvaged, reading.is_history_undated, reading.is_history_estimated)
    current = reading.current
    first = (
        f"ok {reading.family} {' '.join(reading.checksums)} {reading.state} {reading.region} {reading.age_minutes} "
        f"{number(reading.max_life_minutes)} {number(reading.initializations)} "
        f"{sum(is_so << bit for bit, is_so in enumerate(problems))} {reading.serial or '-'} "
        f"{reading.recovered_uid.hex().upper() if reading.recovered_uid else '-'} {current.minute if current else -1} "
        f"{bits(current.glucose_mg_dl if current else None)} {bits(current.rate_mg_dl_per_min if current else None)} "
        f"{len(reading.trend)} {len(reading.history)} -"
    )
    rings = (("t", reading.trend), ("h", reading.history))
    return [first] + [sample_line(ring, sample) for ring, samples in rings for sample in samples]


def names_line(title: str, names: Mapping[int, str], count: int) -> str:
    """The numbers after the last and before the first have no name."""
    return " ".join([title, *(names.get(number, "-") for number in range(count + 1)), names.get(-1, "-")])


def main() -> None:
    print(f"abi {_library.ABI_VERSION}")
    print(names_line("quality", libre_cgm.QUALITIES, 6))
    print(names_line("state", libre_cgm.STATES, 7))
    print(names_line("family", libre_cgm.FAMILIES, 9))
    print(names_line("region", libre_cgm.REGIONS, 9))
    print(names_line("checksum", libre_cgm.CHECKSUMS, 4))
    print(names_line("measurement_error", libre_cgm.MEASUREMENT_ERRORS, 9))
    print(names_line("error", libre_cgm.ERRORS, 15))
    for case in sys.stdin:
        memory, uid, patch_info, missing, flags = (word.replace("-", "") for word in case.split())
        facts = [bytes.fromhex(digits) for digits in (memory, uid, patch_info)]
        print(f"product {libre_cgm.product_name(facts[2]) or '-'}")
        print(*lines(facts[0], facts[1], facts[2], int(missing, 16), int(flags, 16)), sep="\n")


main()
