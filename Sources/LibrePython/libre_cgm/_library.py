# SPDX-License-Identifier: Apache-2.0
"""The C library beside this file: the structures and functions of libre.h, which describes each."""

import ctypes
from collections.abc import Callable, Mapping
from enum import IntFlag
from pathlib import Path
from types import MappingProxyType


class SampleFlag(IntFlag):
    """The bits of `flags` of a sample in an array of `decode_many`: which of its values are known."""

    HAS_GLUCOSE = 1
    HAS_MODEL_GLUCOSE = 2
    HAS_TEMPERATURE = 4
    HAS_ERROR = 8
    """The sensor flagged the measurement; `errors` holds the reasons, bit n for `MEASUREMENT_ERRORS[n]`."""


class ReadingFlag(IntFlag):
    """The bits of `flags` of a reading in an array of `decode_many`."""

    SALVAGED = 1
    HISTORY_UNDATED = 2
    HISTORY_ESTIMATED = 4
    KEY_RECOVERED = 8
    HAS_CURRENT = 16
    HAS_RATE = 32


class Options(ctypes.Structure):
    size: int
    flags: int
    missing_blocks: int
    uid_size: int
    patch_info_size: int
    uid: ctypes.Array[ctypes.c_uint8]
    patch_info: ctypes.Array[ctypes.c_uint8]

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("missing_blocks", ctypes.c_uint64),
        ("uid_size", ctypes.c_uint8),
        ("patch_info_size", ctypes.c_uint8),
        ("uid", ctypes.c_uint8 * 8),
        ("patch_info", ctypes.c_uint8 * 24),
        ("reserved", ctypes.c_uint8 * 6),
    ]


class RawSample(ctypes.Structure):
    glucose_mg_dl: float
    model_glucose_mg_dl: float
    temperature_c: float
    minute: int
    raw_glucose: int
    raw_temperature: int
    raw_temperature_adjustment: int
    errors: int
    quality: int
    flags: int

    _fields_ = [
        ("glucose_mg_dl", ctypes.c_double),
        ("model_glucose_mg_dl", ctypes.c_double),
        ("temperature_c", ctypes.c_double),
        ("minute", ctypes.c_int32),
        ("raw_glucose", ctypes.c_uint16),
        ("raw_temperature", ctypes.c_uint16),
        ("raw_temperature_adjustment", ctypes.c_int16),
        ("errors", ctypes.c_uint16),
        ("quality", ctypes.c_uint8),
        ("flags", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 2),
    ]


class RawReading(ctypes.Structure):
    size: int
    error: int
    current_glucose_mg_dl: float
    current_rate_mg_dl_per_min: float
    current_minute: int
    age_minutes: int
    max_life_minutes: int
    initializations: int
    state: int
    family: int
    region: int
    header: int
    body: int
    footer: int
    flags: int
    trend_count: int
    history_count: int
    serial: bytes
    recovered_uid: ctypes.Array[ctypes.c_uint8]
    message: bytes
    trend: ctypes.Array[RawSample]
    history: ctypes.Array[RawSample]

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("error", ctypes.c_int32),
        ("current_glucose_mg_dl", ctypes.c_double),
        ("current_rate_mg_dl_per_min", ctypes.c_double),
        ("current_minute", ctypes.c_int32),
        ("age_minutes", ctypes.c_int32),
        ("max_life_minutes", ctypes.c_int32),
        ("initializations", ctypes.c_int32),
        ("state", ctypes.c_uint8),
        ("family", ctypes.c_uint8),
        ("region", ctypes.c_uint8),
        ("header", ctypes.c_uint8),
        ("body", ctypes.c_uint8),
        ("footer", ctypes.c_uint8),
        ("flags", ctypes.c_uint8),
        ("trend_count", ctypes.c_uint8),
        ("history_count", ctypes.c_uint8),
        ("serial", ctypes.c_char * 15),
        ("recovered_uid", ctypes.c_uint8 * 8),
        ("message", ctypes.c_char * 256),
        ("trend", RawSample * 16),
        ("history", RawSample * 32),
    ]


SALVAGE = 1
ABI_VERSION = 1

_library = ctypes.CDLL(str(Path(__file__).with_name("liblibre.so.0")))

_library.libre_abi_version.argtypes = []
_library.libre_abi_version.restype = ctypes.c_uint32
if _library.libre_abi_version() != ABI_VERSION:
    raise ImportError(f"expected version {ABI_VERSION} of liblibre.so.0, got {_library.libre_abi_version()}")

decode = _library.libre_decode
decode.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Options), ctypes.POINTER(RawReading)]
decode.restype = ctypes.c_int32

decode_many = _library.libre_decode_many
decode_many.argtypes = [ctypes.c_size_t] + [ctypes.c_void_p] * 4
decode_many.restype = ctypes.c_int32


product_name = _library.libre_product_name
product_name.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
product_name.restype = ctypes.c_char_p


def _names(function: Callable[[int], bytes | None]) -> Mapping[int, str]:
    """The names that a function of the library has for the numbers of a byte."""
    function.argtypes, function.restype = [ctypes.c_int32], ctypes.c_char_p  # type: ignore[attr-defined]
    named = ((number, function(number)) for number in range(256))
    return MappingProxyType({number: name.decode() for number, name in named if name is not None})


QUALITIES = _names(_library.libre_quality_name)
STATES = _names(_library.libre_state_name)
FAMILIES = _names(_library.libre_family_name)
REGIONS = _names(_library.libre_region_name)
CHECKSUMS = _names(_library.libre_checksum_name)
ERRORS = _names(_library.libre_error_name)
MEASUREMENT_ERRORS = _names(_library.libre_measurement_error_name)
