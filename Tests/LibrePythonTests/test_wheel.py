# SPDX-License-Identifier: Apache-2.0
"""The wheel from which libre_cgm was installed: the only one in .build/dist."""

import base64
import doctest
import hashlib
import importlib.metadata
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from dumps import ROOT

WHEEL = next((ROOT / ".build/dist").glob("libre_cgm-*.whl"))
DOCUMENT = ROOT / "Sources/libre/libre.docc/UseItFromPython.md"


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def test_the_command_is_the_package_s() -> None:
    assert run("libre", "--version") == f"libre {importlib.metadata.version('libre-cgm')}\n"
    assert run("which", "libre").strip() == str(Path(sys.executable).with_name("libre"))
    reading = run("libre", "decode", "SensorDumps/libre1/active.hex", "--csv")
    assert len(reading.splitlines()) == 1 + 16 + 32


def test_each_file_has_its_digest_and_the_time_of_a_commit() -> None:
    moment = time.gmtime(int(run("git", "log", "-1", "--format=%ct")))
    with zipfile.ZipFile(WHEEL) as archive:
        entries = archive.infolist()
        record = archive.read(entries[-1]).decode().splitlines()
        for entry, line in zip(entries[:-1], record, strict=False):
            content = archive.read(entry)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            assert line == f"{entry.filename},sha256={digest},{len(content)}"
    assert record[len(entries) - 1 :] == [f"{entries[-1].filename},,"]
    # The time of the build would be later than that of the last commit.
    times = {entry.date_time for entry in entries}
    assert len(times) == 1 and times.pop() <= moment[:6]


def test_the_wheel_runs_where_its_name_says() -> None:
    judged = " ".join(run(sys.executable, "-m", "auditwheel", "show", WHEEL).split())
    platform = WHEEL.stem.split("-")[-1]
    assert f'is consistent with the following platform tag: "{platform}"' in judged


def test_python_in_the_article_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sections = [text for text in re.split(r"^## ", DOCUMENT.read_text(), flags=re.M) if ">>> " in text]
    commands = re.findall(r"^\$ (libre .*)$", "".join(sections), re.M)
    session = "".join(re.findall(r"^(>>> .*?)^```$", "".join(sections), re.M | re.S))
    assert commands and session.count(">>> ") == "".join(sections).count(">>> ") > 2
    monkeypatch.chdir(tmp_path)
    for command in commands:
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
    test = doctest.DocTestParser().get_doctest(session, {}, DOCUMENT.name, str(DOCUMENT), 0)
    faults: list[str] = []
    doctest.DocTestRunner().run(test, out=faults.append)
    assert "".join(faults) == ""
