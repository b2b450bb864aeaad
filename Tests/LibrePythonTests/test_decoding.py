# SPDX-License-Identifier: Apache-2.0
import ctypes
import dataclasses
import pickle
import re
import sys
from typing import Any

import numpy as np
import pytest

import libre_cgm
from dumps import ACTIVE, DUMPS, ROOT, Dump
from libre_cgm import _decoding, _library

HEADER = (ROOT / "Sources/LibreC/include/libre.h").read_text()


def named(dumps: list[Dump]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("dump", [pytest.param(dump, id=dump.name) for dump in dumps])


def rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


@named([dump for dump in DUMPS if dump.is_reading])
def test_a_reading_is_that_of_the_command(dump: Dump) -> None:
    reading, expected = dump.decode(), dump.expected
    sensor, current = expected["sensor"], expected["current"]
    for name in ("state", "family", "age_minutes", "max_life_minutes", "initializations", "serial"):
        assert getattr(reading, name) == sensor[name], name
    assert libre_cgm.product_name(dump.patch_info or b"") == sensor["product"]
    assert reading.region == (sensor["region"] or "unknown")
    assert (current is None) == (reading.current is None)
    if reading.current:
        assert reading.current.minute == current["minute"]
        assert round(reading.current.glucose_mg_dl, 4) == current["glucose_mg_dl"]
        assert rounded(reading.current.rate_mg_dl_per_min, 4) == current["rate_mg_dl_per_min"]
    for samples, others in ((reading.trend, expected["trend"]), (reading.history, expected["history"])):
        assert len(samples) == len(others)
        for sample, other in zip(samples, others):
            assert (sample.minute, sample.quality) == (other["minute"], other["quality"])
            raw = other["raw"]
            assert sample.raw_glucose == raw["glucose"] and sample.raw_temperature == raw["temperature"]
            assert sample.raw_temperature_adjustment == raw["temperature_adjustment"]
            assert sample.errors == (tuple(other["errors"]) if raw["has_error"] else None)
            assert rounded(sample.temperature_c, 2) == other["temperature_c"]
            assert rounded(sample.glucose_mg_dl, 4) == other["glucose_mg_dl"]
            assert rounded(sample.model_glucose_mg_dl, 4) == other["model_glucose_mg_dl"]


@named([dump for dump in DUMPS if not dump.is_reading])
def test_an_error_is_that_of_the_command(dump: Dump) -> None:
    with pytest.raises(libre_cgm.DecodeError) as caught:
        dump.decode()
    assert (caught.value.code, str(caught.value)) == (dump.expected["code"], dump.expected["message"])
    assert caught.value.code in libre_cgm.ERRORS.values()


def test_an_error_passes_between_processes() -> None:
    with pytest.raises(libre_cgm.DecodeError) as caught:
        libre_cgm.decode(bytes(344))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, str(copy), copy.family, copy.checksums) == (
        caught.value.code, str(caught.value), caught.value.family, caught.value.checksums
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(ACTIVE.decode())) == ACTIVE.decode()


@pytest.mark.parametrize("salvage", [False, True])
def test_an_array_holds_what_single_readings_hold(salvage: bool) -> None:
    readings = libre_cgm.decode_many(
        [libre_cgm.Memory(dump.memory, dump.uid, dump.patch_info) for dump in DUMPS], salvage=salvage
    )
    errors = 0
    for dump, element in zip(DUMPS, readings, strict=True):
        assert element["message"].decode().isascii()
        try:
            expected = dump.decode(salvage=salvage)
        except libre_cgm.DecodeError as error:
            errors += 1
            assert libre_cgm.ERRORS[element["error"]] == error.code and element["message"].decode() == str(error)
            assert np.isnan(element["current_glucose_mg_dl"]) and element["current_minute"] == -1
            assert np.isnan(element["trend"]["glucose_mg_dl"]).all()
        else:
            assert element["error"] == 0
            # The element as the structure that it is a picture of.
            assert _decoding._reading(_library.RawReading.from_buffer_copy(element.tobytes())) == expected
            rest = element["history"][element["history_count"] :]
            assert (rest["minute"] == -1).all() and np.isnan(rest["glucose_mg_dl"]).all()
    assert 0 < errors < len(DUMPS)


def test_bytes_rows_and_memories_give_the_same_array() -> None:
    memories = [dump.memory for dump in DUMPS]
    rows = np.frombuffer(b"".join(memories), dtype=np.uint8).reshape(len(memories), 344)
    expected = libre_cgm.decode_many(memories)
    others = {
        "iterator": libre_cgm.decode_many(iter(memories)),
        "rows": libre_cgm.decode_many(rows),
        "rows of columns": libre_cgm.decode_many(np.asfortranarray(rows)),
        "memories": libre_cgm.decode_many(map(libre_cgm.Memory, memories)),
        "views": libre_cgm.decode_many(map(memoryview, memories)),
    }
    for name, readings in others.items():
        assert readings.tobytes() == expected.tobytes(), name
    salvaged = libre_cgm.decode_many(memories, salvage=True).tobytes()
    assert libre_cgm.decode_many(rows, salvage=True).tobytes() == salvaged != expected.tobytes()


def test_no_memories_give_an_empty_array() -> None:
    assert libre_cgm.decode_many([]).shape == (0,)
    assert libre_cgm.decode_many(np.empty((0, 344), dtype=np.uint8)).shape == (0,)


def test_memories_of_other_lengths_are_read_as_far_as_they_go() -> None:
    lengths = [0, 1, 24, 200, 320, 344, 400]
    memories = [(ACTIVE.memory + bytes(56))[:length] for length in lengths]
    readings = libre_cgm.decode_many(memories, salvage=True)
    for memory, element in zip(memories, readings, strict=True):
        try:
            count = len(libre_cgm.decode(memory, salvage=True).history)
        except libre_cgm.DecodeError as error:
            assert element["message"].decode() == str(error)
        else:
            assert (element["error"], element["history_count"]) == (0, count)
    assert list(readings["error"] == 0) == [False, False, False, False, True, True, True]


def test_an_encrypted_memory_gives_up_its_key() -> None:
    dump = next(dump for dump in DUMPS if dump.name == "libre2")
    keyless = libre_cgm.decode(dump.memory)
    assert keyless.serial is None
    assert keyless.history == dump.decode().history
    assert dump.decode().recovered_uid is None
    assert dump.uid and keyless.recovered_uid and keyless.recovered_uid[4:] == dump.uid[4:]
    backwards = libre_cgm.decode(dump.memory, uid=dump.uid[::-1], patch_info=dump.patch_info)
    assert backwards == dump.decode()


def test_missing_blocks_are_not_read() -> None:
    whole = ACTIVE.decode()
    with pytest.raises(libre_cgm.DecodeError, match="lacks blocks 10 to 11 of the body"):
        libre_cgm.decode(ACTIVE.memory, missing_blocks=[10, 11])
    rest = libre_cgm.decode(ACTIVE.memory, missing_blocks={10, 11}, salvage=True)
    assert rest.is_salvaged and rest.checksums.body == "absent"
    assert set(rest.trend) < set(whole.trend) | set(rest.trend) and len(rest.trend) < len(whole.trend)
    readings = libre_cgm.decode_many([libre_cgm.Memory(ACTIVE.memory, missing_blocks=(10, 11))], salvage=True)
    assert readings["trend_count"].tolist() == [len(rest.trend)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"uid": b"\xe0"}, "expected 8 bytes of UID, got 1"),
        ({"uid": b""}, "expected 8 bytes of UID, got 0"),
        ({"uid": bytes(264)}, "expected 8 bytes of UID, got 264"),
        ({"uid": bytes(8)}, "the UID has E0 at neither end, or at both and no known maker"),
        ({"patch_info": bytes(5)}, "expected 6 to 24 bytes of patch info, got 5"),
        ({"patch_info": bytes(25)}, "expected 6 to 24 bytes of patch info, got 25"),
        ({"missing_blocks": [43]}, "expected blocks from 0 to 42, got 43"),
        ({"missing_blocks": [-1]}, "expected blocks from 0 to 42, got -1"),
    ],
)
def test_an_argument_out_of_range_is_named(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        libre_cgm.decode(ACTIVE.memory, **arguments)


def test_a_uid_with_e0_at_both_ends_is_ordered_by_its_maker() -> None:
    uid = bytes.fromhex("E007A000001234E0")
    serials = {libre_cgm.decode(ACTIVE.memory, uid=order).serial for order in (uid, uid[::-1])}
    assert len(serials) == 1 and None not in serials


def test_what_is_not_bytes_is_refused() -> None:
    # A number would be so many zeros.
    for wrong in (344, "00" * 344, None):
        with pytest.raises(TypeError):
            libre_cgm.decode(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            libre_cgm.decode_many([wrong])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="expected rows of uint8, got 1 dimensions of float64"):
        libre_cgm.decode_many(np.zeros(344))


def test_a_reading_does_not_change() -> None:
    reading = ACTIVE.decode()
    with pytest.raises(dataclasses.FrozenInstanceError):
        reading.age_minutes = 0  # type: ignore[misc]
    assert reading == ACTIVE.decode() and hash(reading) == hash(ACTIVE.decode())


def test_numpy_is_asked_for_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'libre-cgm[numpy]'")):
        libre_cgm.decode_many([])


@pytest.mark.parametrize(
    ("structure", "name"),
    [
        (_library.Options, "libre_options"),
        (_library.RawSample, "libre_sample"),
        (_library.RawReading, "libre_reading"),
    ],
)
def test_a_structure_has_the_members_of_the_header(structure: type[ctypes.Structure], name: str) -> None:
    body = re.findall(rf"typedef struct {name} {{(.*?)}} {name};", HEADER, re.S)[0]
    members = re.findall(r"/\* +(\d+) \*/ \w+ (\w+)", body)
    fields = [(str(getattr(structure, field[0]).offset), field[0]) for field in structure._fields_]
    assert fields == members and members


def test_numbers_are_those_of_the_header() -> None:
    for flag in (*libre_cgm.ReadingFlag, *libre_cgm.SampleFlag):
        assert f" LIBRE_{flag.name} = {flag.value}" in HEADER
    assert f" LIBRE_SALVAGE = {_library.SALVAGE}\n" in HEADER
    assert f"#define LIBRE_ABI_VERSION {_library.ABI_VERSION}\n" in HEADER
    assert f"#define LIBRE_MEMORY_SIZE {8 * _decoding.MEMORY_BLOCKS}\n" in HEADER


def test_elements_may_be_longer_than_the_library_knows() -> None:
    """A program that was compiled with a later header has longer structures, and their size in the first one."""
    size, count = ctypes.sizeof(_library.RawReading), 2
    memory = ctypes.create_string_buffer(ACTIVE.memory, 344)
    places, sizes = (ctypes.c_void_p * 2)(*[ctypes.addressof(memory)] * 2), (ctypes.c_size_t * 2)(344, 344)

    def decoded(stride: int) -> tuple[int, bytes]:
        content = stride.to_bytes(4, "little") + b"\xaa" * (count * stride - 4)
        readings = ctypes.create_string_buffer(content, len(content))
        return _library.decode_many(count, places, sizes, None, readings), readings.raw

    once = decoded(size)[1][:size]
    for longer in (size, size + 8, size + 800):
        error, content = decoded(longer)
        assert (error, content[:size], content[longer : longer + size]) == (0, once, once)
        assert content[size:longer] == b"\xaa" * (longer - size)
    for wrong in (size - 8, size + 4):
        error, content = decoded(wrong)
        assert libre_cgm.ERRORS[error] == "bad_argument" and content[4:] == b"\xaa" * (count * wrong - 4)
    assert libre_cgm.ERRORS[_library.decode_many(1, places, sizes, None, None)] == "bad_argument"
