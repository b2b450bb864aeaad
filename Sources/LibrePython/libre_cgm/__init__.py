# SPDX-License-Identifier: Apache-2.0
"""Decodes the memory of FreeStyle Libre glucose sensors, and reads the history that the libre command keeps.

`decode` makes a `Reading` of 344 bytes, `decode_many` a NumPy array of many memories, and `history` a DataFrame of
pandas of a store. The command `libre`, which reads sensors and fills stores, comes with the package.

Not a medical device, and not for treatment decisions. Values differ from the official reader's, which filters them
further.
"""

from ._decoding import Checksums, Current, DecodeError, Memory, Reading, Sample, decode, decode_many, product_name
from ._library import (
    CHECKSUMS,
    ERRORS,
    FAMILIES,
    MEASUREMENT_ERRORS,
    QUALITIES,
    REGIONS,
    STATES,
    ReadingFlag,
    SampleFlag,
)
from ._store import history

__all__ = [
    "CHECKSUMS",
    "ERRORS",
    "FAMILIES",
    "MEASUREMENT_ERRORS",
    "QUALITIES",
    "REGIONS",
    "STATES",
    "Checksums",
    "Current",
    "DecodeError",
    "Memory",
    "Reading",
    "ReadingFlag",
    "Sample",
    "SampleFlag",
    "decode",
    "decode_many",
    "history",
    "product_name",
]
