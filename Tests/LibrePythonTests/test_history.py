# SPDX-License-Identifier: Apache-2.0
import hashlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import libre_cgm


def libre(*arguments: str | Path) -> str:
    return subprocess.run(["libre", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


COLUMNS = "glucose_mg_dl quality ring minute uid serial wear temperature_c model_glucose_mg_dl".split()
COLUMNS += "source device bound note".split()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a sensor in its first hour, one whose only scan has no time, and a finger-stick."""
    folder = tmp_path_factory.mktemp("a store")
    path = folder / "what? #1.sqlite"
    libre("read", "--reader", "sim:first-hour", "--store", path, "--quiet")
    libre("add", "104", "--at", "2024-05-02T12:20:00Z", "--note", "before lunch", "--store", path, "--quiet")
    lines = libre("simulate", "--scenario", "active", "--seed", "7").splitlines(keepends=True)
    memory = folder / "memory.hex"
    memory.write_text("".join(line for line in lines if not line.startswith("# read-at")))
    libre("import", memory, "--store", path, "--quiet")
    return path


def test_the_history_is_that_of_the_command(store: Path) -> None:
    table = libre_cgm.history(store)
    lines = libre("history", "--from", "all", "--ring", "all", "--finger-sticks", "--ndjson", "--store", store)
    expected = {}
    for sample in map(json.loads, lines.splitlines()):
        expected[sample["ring"], sample["uid"], sample["minute"]] = sample
    assert list(table.columns) == COLUMNS and len(table) == len(expected) == 68
    for row in table.reset_index().to_dict("records"):
        known = {name: None if pd.isna(value) else value for name, value in row.items()}
        sample = expected[known["ring"], known["uid"], known["minute"]]
        time = known["time"] and known["time"].strftime("%Y-%m-%dT%H:%M:%SZ")
        assert time == sample["time"]
        for name in ("quality", "serial", "wear", "source"):
            assert known[name] == sample.get(name), name
        assert known["note"] == sample.get("note")
        for name, digits in (("glucose_mg_dl", 4), ("model_glucose_mg_dl", 4), ("temperature_c", 2)):
            value: Any = known[name]
            assert (None if value is None else round(value, digits)) == sample[name], name


def test_the_columns_have_types(store: Path) -> None:
    table = libre_cgm.history(store)
    assert isinstance(table.index, pd.DatetimeIndex) and str(table.index.tz) == "UTC" and table.index.name == "time"
    dated = table.index.dropna()
    assert len(table) - len(dated) == 48 and dated.is_monotonic_increasing
    assert list(table["quality"].cat.categories) == list(libre_cgm.QUALITIES.values())
    assert set(table["ring"]) == set(table["ring"].cat.categories)
    types = table.dtypes.astype(str).to_dict()
    assert types["glucose_mg_dl"] == types["temperature_c"] == types["model_glucose_mg_dl"] == "float64"
    assert types["minute"] == types["wear"] == "Int64"
    warm_up = table[table["quality"] == "warm_up"]
    assert len(warm_up) == 19 and warm_up["glucose_mg_dl"].isna().all() and warm_up["model_glucose_mg_dl"].notna().all()


def test_an_empty_store_gives_an_empty_table_of_the_same_types(tmp_path: Path, store: Path) -> None:
    path = tmp_path / "empty.sqlite"
    libre("add", "104", "--at", "2024-05-02T12:20:00Z", "--store", path, "--quiet")
    libre("add", "104", "--at", "2024-05-02T12:20:00Z", "--remove", "--store", path, "--quiet")
    table = libre_cgm.history(path)
    assert len(table) == 0
    assert table.dtypes.to_dict() == libre_cgm.history(store).dtypes.to_dict()
    assert table.index.dtype == libre_cgm.history(store).index.dtype


def test_a_store_in_use_is_read_and_not_changed(store: Path) -> None:
    before = hashlib.sha256(store.read_bytes()).digest()
    with sqlite3.connect(store) as other:
        other.execute("BEGIN IMMEDIATE")
        assert len(libre_cgm.history(str(store))) == 68
    other.close()
    assert hashlib.sha256(store.read_bytes()).digest() == before


def test_a_log_that_a_crash_has_left_stays(store: Path, tmp_path: Path) -> None:
    """A connection that may write would move the log into the file at its end, which only libre does."""
    whole, crashed = tmp_path / "whole.sqlite", tmp_path / "crashed.sqlite"
    shutil.copy(store, whole)
    with sqlite3.connect(whole) as other:
        other.execute("CREATE TABLE other (number INTEGER)")
        other.commit()
        for suffix in ("", "-wal"):
            shutil.copy(f"{whole}{suffix}", f"{crashed}{suffix}")
    other.close()
    before = [Path(f"{crashed}{suffix}").read_bytes() for suffix in ("", "-wal")]
    assert len(libre_cgm.history(crashed)) == 68 and before[1]
    assert [Path(f"{crashed}{suffix}").read_bytes() for suffix in ("", "-wal")] == before


def test_what_is_not_a_store_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite"
    with pytest.raises(FileNotFoundError, match="missing.sqlite"):
        libre_cgm.history(missing)
    assert not missing.exists()
    text = tmp_path / "text.sqlite"
    text.write_text("glucose " * 1000)
    with pytest.raises(ValueError, match="text.sqlite is not a database of SQLite"):
        libre_cgm.history(text)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE history (time TEXT)")
    connection.close()
    with pytest.raises(ValueError, match="other.sqlite has no view 'history'; expected a store of libre"):
        libre_cgm.history(other)


def test_pandas_is_asked_for_by_its_name(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'libre-cgm[pandas]'")):
        libre_cgm.history(store)
