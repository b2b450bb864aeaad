# SPDX-License-Identifier: Apache-2.0
"""The dumps of the project, and what is expected of each."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import libre_cgm

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "SensorDumps/libre1"


@dataclass(frozen=True)
class Dump:
    name: str
    memory: bytes
    uid: bytes | None
    patch_info: bytes | None
    expected: Any

    @property
    def is_reading(self) -> bool:
        return bool(self.expected["schema"] == "libre.reading/1")

    def decode(self, *, salvage: bool = False) -> libre_cgm.Reading:
        return libre_cgm.decode(self.memory, uid=self.uid, patch_info=self.patch_info, salvage=salvage)


def _dump(path: Path) -> Dump:
    lines = path.read_text().splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    memory = bytes.fromhex("".join(line for line in lines if not line.startswith("#")))
    uid, patch_info = (bytes.fromhex(facts[fact]) if fact in facts else None for fact in ("uid", "patch-info"))
    return Dump(path.stem, memory, uid, patch_info, json.loads(path.with_suffix(".expected.json").read_text()))


# Files of another length are for the command, which reads them otherwise; so is a Libre Pro.
DUMPS = [
    dump
    for dump in (_dump(path) for path in sorted(FOLDER.glob("*.hex")) if path.stem != "x-not-hex")
    if len(dump.memory) == 344
]
ACTIVE = next(dump for dump in DUMPS if dump.name == "active")
