#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks exports with other people's validators: validate.py FORMAT FILE...

What has no validator of its own (Open mHealth, Tidepool, Vital) is held against JSON Schemas that say in our words what
was read in their sources (Formats.md).
"""

import csv
import io
import json
import re

from validation import (
    UTC, UUID, by_schema, exactly, fhir, held_against, main, record, text, vital, vital_blood_pressure)

WITH_ZONE = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"

OMH = record({
    "header": record({
        "id": text(UUID),
        "creation_date_time": text(WITH_ZONE),
        "schema_id": record({
            "namespace": exactly("omh"), "name": exactly("blood-glucose"), "version": exactly("3.0"),
        }),
        "acquisition_provenance": record(
            {"source_name": text(), "source_creation_date_time": text(WITH_ZONE)},
            {"modality": exactly("sensed", "self-reported")},
        ),
    }),
    "body": record({
        "blood_glucose": record({"value": {"type": "number"}, "unit": exactly("mg/dL", "mmol/L")}),
        "effective_time_frame": record({"date_time": text(WITH_ZONE)}),
        "specimen_source": exactly("capillary blood", "interstitial fluid"),
    }),
})  # fmt: skip

TIDEPOOL = record(
    {
        "type": exactly("cbg", "smbg"),
        "time": text(UTC),
        "deviceTime": text(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$"),
        "timezoneOffset": {"type": "integer", "minimum": -1440, "maximum": 1440},
        "deviceId": text(),
        "units": exactly("mg/dL", "mmol/L"),
        "value": {"type": "number", "minimum": 0, "maximum": 1000},
        "origin": record({
            "id": text() | {"maxLength": 100},
            "name": text() | {"maxLength": 100},
            "time": text(UTC),
            "type": exactly("application", "device", "manual", "service"),
            "version": text() | {"maxLength": 100},
        }),
    },
    {
        "subType": exactly("linked", "manual", "scanned"),
        "sampleInterval": {"type": "integer", "minimum": 0, "maximum": 86_400_000},
        "backfilled": {"type": "boolean"},
        "annotations": {
            "type": "array",
            "minItems": 1,
            "items": record({
                "code": exactly("bg/out-of-range"),
                "value": exactly("low", "high"),
                "threshold": {"type": "integer"},
            }),
        },
    },
) | {
    "if": {"properties": {"units": exactly("mmol/L")}},
    "then": {"properties": {"value": {"maximum": 55}}},
}  # fmt: skip

VITAL_TYPES = [
    "unknown", "phone", "watch", "app", "ring", "multiple_sources", "chest_strap", "automatic", "manual_scan", "cuff",
    "fingerprick",
]  # fmt: skip


def omh(source):
    documents = [json.loads(line) for line in source.splitlines()]
    return by_schema(OMH, documents), len(documents)


def terra(source):
    """Terra's own Python client: its models, as its client reads them from the wire."""
    from terra.core.serialization import convert_and_respect_annotation_metadata
    from terra.types.body import Body

    document = json.loads(source)
    samples = lambda body: [
        sample
        for name in ("blood_glucose_samples", "detailed_blood_glucose_samples")
        for sample in body["glucose_data"].get(name, [])
    ]

    def unknown(model, path):
        """Members that Terra does not have: its models let them pass."""
        for name in model.model_extra or {}:
            yield f"{path}.{name} is no member of Terra's"
        for name in type(model).model_fields:
            value = getattr(model, name)
            for item in value if isinstance(value, list) else [value]:
                if hasattr(item, "model_extra"):
                    yield from unknown(item, f"{path}.{name}")

    def faults():
        if list(document) != ["data"]:
            yield f"members {list(document)}"
        for number, body in enumerate(document["data"], 1):
            try:
                model = Body.model_validate(
                    convert_and_respect_annotation_metadata(object_=body, annotation=Body, direction="read"))
            except ValueError as error:
                yield f"{number} {error}"
                continue
            yield from unknown(model, str(number))
            for name, moment in body["metadata"].items():
                if not re.match(r"^\d{4}-\d\d-\d\dT00:00:00\.000000[+-]\d\d:\d\d$", moment):
                    yield f"{number} {name} is no midnight: {moment}"
            for sample in samples(body):
                if not re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$", sample["timestamp"]):
                    yield f"{number} timestamp {sample['timestamp']}"
                if not body["metadata"]["start_time"][:10] == sample["timestamp"][:10]:
                    yield f"{number} {sample['timestamp']} is of another day"

    return faults(), sum(len(samples(body)) for body in document["data"])


def table(source):
    """Python's csv module, strict: as many fields in each row as in the header."""
    try:
        rows = list(csv.reader(io.StringIO(source, newline=""), strict=True))
    except csv.Error as error:
        return [str(error)], 0
    start = 1 if rows[0][0] == "Glucose Data" else 0
    width = len(rows[start])
    faults = [f"row {number} has {len(row)} fields, not {width}" for number, row in enumerate(rows, 1)
              if number > start and len(row) != width]  # fmt: skip
    if start and source.replace("\r\n", "").count("\n"):
        faults.append("a line does not end with CRLF")
    return faults, len(rows) - start - 1


if __name__ == "__main__":
    main({
        "omh": omh, "tidepool": held_against({"type": "array", "items": TIDEPOOL}), "vital": vital(*VITAL_TYPES),
        "vital-blood-pressure": vital_blood_pressure("manual"), "fhir": fhir, "terra": terra, "csv": table, "libreview": table,
    })  # fmt: skip
