# SPDX-License-Identifier: Apache-2.0
"""Decoding of memories: one into objects, many into an array."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _library as library

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Buffer = bytes | bytearray | memoryview
MEMORY_BLOCKS = 43
# An operation on an IntFlag takes longer than all else that is done with a sample.
HAS_ERROR = int(library.SampleFlag.HAS_ERROR)


class Memory(NamedTuple):
    """A memory for `decode_many` with what is known besides it, as in `decode`."""

    memory: Buffer
    uid: bytes | None = None
    patch_info: bytes | None = None
    missing_blocks: Collection[int] = ()


class Checksums(NamedTuple):
    """The results of the three checksums, each a value of `CHECKSUMS`: `ok`; `torn`, which is correct for an age of one
    minute less, and good; `bad`; or `absent`, because blocks are missing."""

    header: str
    """Bytes 0 to 23, with the state."""
    body: str
    """Bytes 24 to 319, with the samples."""
    footer: str
    """Bytes 320 to 343, with calibration and region."""


class DecodeError(ValueError):
    """A memory that cannot be decoded. Its text is the reason, with the numbers."""

    # The name by which it is imported, for tracebacks.
    __module__ = "libre_cgm"

    code: str
    """The reason in a word that does not change: a value of `ERRORS`, such as `crc_mismatch`."""
    family: str
    """The product, where the reason depends on it; else `unknown`."""
    checksums: Checksums

    def __init__(self, code: str, message: str, family: str, checksums: Checksums) -> None:
        super().__init__(code, message, family, checksums)
        self.code, self.family, self.checksums = code, family, checksums

    def __str__(self) -> str:
        return str(self.args[1])


@dataclass(frozen=True, slots=True)
class Sample:
    """One measurement."""

    minute: int
    """Minutes since the sensor was started, from 1."""
    raw_glucose: int
    """0 to 16383 counts."""
    raw_temperature: int
    """0 to 16380 counts, in steps of 4."""
    raw_temperature_adjustment: int
    """-2044 to 2044 counts, in steps of 4."""
    errors: tuple[str, ...] | None
    """The reasons for which the sensor flagged its measurement, values of `MEASUREMENT_ERRORS`; None if it did not."""
    quality: str
    """`ok`, or the first reason not to use the sample: another value of `QUALITIES`."""
    temperature_c: float | None
    """The temperature at the sensor in degrees Celsius."""
    model_glucose_mg_dl: float | None
    """The formula's result in mg/dL whatever the quality, not rounded or limited."""
    glucose_mg_dl: float | None
    """The value in mg/dL for use as glucose; None unless the quality is `ok` and the value is possible."""


@dataclass(frozen=True, slots=True)
class Current:
    """The value to be shown as current."""

    minute: int
    """Minutes since the sensor was started."""
    glucose_mg_dl: float
    """Glucose in mg/dL."""
    rate_mg_dl_per_min: float | None
    """The rate of change in mg/dL per minute."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of one memory. What is not known is None, and `unknown` where it is a word."""

    state: str
    """The stage of the sensor's life: a value of `STATES`."""
    family: str
    """The kind of sensor: a value of `FAMILIES`. `product_name` has the name on its box."""
    region: str
    """The region of sale: a value of `REGIONS`."""
    serial: str | None
    """The serial number on the sensor's box; None without a UID."""
    age_minutes: int
    """Minutes since the sensor was started."""
    max_life_minutes: int | None
    """Minutes after which the history stops; None if the footer is damaged."""
    initializations: int | None
    """0 on a Libre 1, 1 on a Libre 2."""
    checksums: Checksums
    current: Current | None
    trend: tuple[Sample, ...]
    """Up to 16 samples, one a minute, newest first."""
    history: tuple[Sample, ...]
    """Up to 32 samples, one each 15 minutes, newest first."""
    recovered_uid: bytes | None
    """If the key was computed from the memory itself, a UID that fits it, E0 first; the sensor's own may be another."""
    is_salvaged: bool
    """Whether the samples come from a body with a wrong checksum."""
    is_history_undated: bool
    """Whether the history is empty because its time cannot be determined."""
    is_history_estimated: bool
    """Whether the ring indices are missing: the history was placed by the age, and there is no trend."""


def decode(
    memory: Buffer,
    *,
    uid: bytes | None = None,
    patch_info: bytes | None = None,
    missing_blocks: Collection[int] = (),
    salvage: bool = False,
) -> Reading:
    """Decodes the 344 bytes of a sensor's memory.

    :param memory: The bytes as the sensor's read commands return them from block 0 on. Bytes after the 344th are
        ignored, and blocks of 8 that fewer bytes lack count as missing.
    :param uid: 8 bytes with E0 first, or last as over the air. It gives the serial number, and decrypts with
        `patch_info`.
    :param patch_info: 6 to 24 bytes, the answer to command A1 without response flags.
    :param missing_blocks: Numbers from 0 to 42 of blocks that were not read; their bytes are ignored.
    :param salvage: Decodes the samples of a body with a wrong checksum or with missing blocks, too.
    :raises DecodeError: if there is nothing to decode, and says why.
    :raises ValueError: for an argument out of these ranges.

    An encrypted memory (Libre 2, US 14 day) is decrypted with UID and patch info, or, without them, with a key computed
    from the memory itself where that can be proven.
    """
    raw = library.RawReading(size=ctypes.sizeof(library.RawReading))
    options = _options(uid, patch_info, missing_blocks, salvage)
    data = _bytes(memory)
    if library.decode(data, len(data), options, raw) != 0:
        raise DecodeError(
            library.ERRORS[raw.error], raw.message.decode(), library.FAMILIES[raw.family], _checksums(raw)
        )
    return _reading(raw)


def product_name(patch_info: bytes) -> str | None:
    """The product that a patch info names, as on its box; None where none is known."""
    name: bytes | None = library.product_name(patch_info, len(patch_info))
    return None if name is None else name.decode()


def decode_many(
    memories: Iterable[Buffer | Memory] | npt.NDArray[np.uint8], *, salvage: bool = False
) -> npt.NDArray[np.void]:
    """Decodes memories as `decode` does, into a structured array with an element of 2,248 bytes for each.

    :param memories: Bytes, or `Memory` with what is known besides them; or an array of bytes with a memory in each row.
    :raises ImportError: without NumPy, which the extra `numpy` brings.

    Fields are those of `libre_reading` in libre.h. A memory that cannot be decoded does not stop the others: `error` is
    a key of `ERRORS`, 0 for `ok`, and `message` the text. Doubles that are not known are NaN, and integers -1.
    `quality`, `state` and the like are keys of `QUALITIES`, `STATES` and so on, `flags` are `ReadingFlag` and
    `SampleFlag`. Of the 16 samples in `trend` and the 32 in `history`, newest first, `trend_count` and `history_count`
    were there; those after them have the quality `never_written`.
    """
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("decode_many needs NumPy; try: pip install 'libre-cgm[numpy]'") from error

    known: list[Memory] | None = None
    if isinstance(memories, np.ndarray):
        if memories.ndim != 2 or memories.dtype != np.uint8:
            raise TypeError(f"expected rows of uint8, got {memories.ndim} dimensions of {memories.dtype}")
        count, width = memories.shape
        data, sizes = np.ascontiguousarray(memories), np.full(count, width, dtype=np.uintp)
    else:
        items: list[Any] = list(memories)
        # Bytes are joined as they are: whatever Python does with each of them takes as long as its decoding.
        if set(map(type, items)) != {bytes}:
            known = [item if isinstance(item, Memory) else Memory(item) for item in items]
            items = [_bytes(item.memory) for item in known]
        count = len(items)
        data, sizes = np.frombuffer(b"".join(items), dtype=np.uint8), np.fromiter(map(len, items), np.uintp, count)
    options: ctypes.Array[library.Options] | None = None
    if known or salvage:
        facts = known or [Memory(b"")] * count
        options = (library.Options * count)(*(_options(*item[1:], salvage) for item in facts))
    places = data.ctypes.data + np.cumsum(sizes, dtype=np.uintp) - sizes
    size = ctypes.sizeof(library.RawReading)
    readings = np.empty(count * size, dtype=np.uint8)
    if count:
        readings[:4].view(np.uint32)[0] = size
        library.decode_many(count, places.ctypes, sizes.ctypes, options, readings.ctypes)
    return readings.view(_dtype(library.RawReading))


def _bytes(memory: Buffer) -> bytes:
    return memory if type(memory) is bytes else bytes(memoryview(memory))


def _options(
    uid: bytes | None, patch_info: bytes | None, missing_blocks: Collection[int], salvage: bool
) -> library.Options:
    options = library.Options(size=ctypes.sizeof(library.Options), flags=library.SALVAGE if salvage else 0)
    if uid is not None:
        if len(uid) != 8:
            raise ValueError(f"expected 8 bytes of UID, got {len(uid)}")
        options.uid_size = 8
        options.uid[:] = list(uid)
    if patch_info is not None:
        if not 6 <= len(patch_info) <= 24:
            raise ValueError(f"expected 6 to 24 bytes of patch info, got {len(patch_info)}")
        options.patch_info_size = len(patch_info)
        options.patch_info[: len(patch_info)] = list(patch_info)
    for block in missing_blocks:
        if not 0 <= block < MEMORY_BLOCKS:
            raise ValueError(f"expected blocks from 0 to {MEMORY_BLOCKS - 1}, got {block}")
        options.missing_blocks |= 1 << block
    return options


def _reading(raw: library.RawReading) -> Reading:
    flags, known = raw.flags, library.ReadingFlag
    current = Current(raw.current_minute, raw.current_glucose_mg_dl, _double(raw.current_rate_mg_dl_per_min))
    return Reading(
        state=library.STATES[raw.state],
        family=library.FAMILIES[raw.family],
        region=library.REGIONS[raw.region],
        serial=raw.serial.decode() or None,
        age_minutes=raw.age_minutes,
        max_life_minutes=_integer(raw.max_life_minutes),
        initializations=_integer(raw.initializations),
        checksums=_checksums(raw),
        current=current if flags & known.HAS_CURRENT else None,
        trend=tuple(map(_sample, raw.trend[: raw.trend_count])),
        history=tuple(map(_sample, raw.history[: raw.history_count])),
        recovered_uid=bytes(raw.recovered_uid) if flags & known.KEY_RECOVERED else None,
        is_salvaged=bool(flags & known.SALVAGED),
        is_history_undated=bool(flags & known.HISTORY_UNDATED),
        is_history_estimated=bool(flags & known.HISTORY_ESTIMATED),
    )


def _checksums(raw: library.RawReading) -> Checksums:
    return Checksums(*(library.CHECKSUMS[number] for number in (raw.header, raw.body, raw.footer)))


def _sample(raw: library.RawSample) -> Sample:
    errors = raw.errors if raw.flags & HAS_ERROR else None
    return Sample(
        minute=raw.minute,
        raw_glucose=raw.raw_glucose,
        raw_temperature=raw.raw_temperature,
        raw_temperature_adjustment=raw.raw_temperature_adjustment,
        errors=None if errors is None else tuple(
            name for bit, name in library.MEASUREMENT_ERRORS.items() if errors >> bit & 1
        ),
        quality=library.QUALITIES[raw.quality],
        temperature_c=_double(raw.temperature_c),
        model_glucose_mg_dl=_double(raw.model_glucose_mg_dl),
        glucose_mg_dl=_double(raw.glucose_mg_dl),
    )


def _double(value: float) -> float | None:
    return value if value == value else None


def _integer(value: int) -> int | None:
    return value if value >= 0 else None


def _dtype(structure: type[ctypes.Structure]) -> np.dtype[np.void]:
    """The structure as a type of NumPy, without the members that hold nothing for a reader."""
    import numpy as np

    names, formats, offsets = [], [], []
    for name, kind in structure._fields_:  # type: ignore[misc]
        if name in ("size", "reserved"):
            continue
        element = getattr(kind, "_type_", None)
        form: Any = kind
        if element is ctypes.c_char:
            form = f"S{ctypes.sizeof(kind)}"
        elif isinstance(element, type):
            inner = _dtype(element) if issubclass(element, ctypes.Structure) else element
            form = (inner, (kind._length_,))  # type: ignore[union-attr]
        names.append(name)
        formats.append(form)
        offsets.append(getattr(structure, name).offset)
    return np.dtype(
        {"names": names, "formats": formats, "offsets": offsets, "itemsize": ctypes.sizeof(structure)}
    )
