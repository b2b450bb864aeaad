#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks exports with other people's validators: validate.py FORMAT FILE...

Prints one line for each fault, and after each file how many records it had. What has no validator of its own (Open mHealth,
Tidepool, Vital) is held against JSON Schemas that say in our words what SINKS.md read in their sources.
"""

import csv
import io
import json
import re
import sys
import warnings

warnings.filterwarnings("ignore")

WITH_ZONE = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"
UTC = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"
ID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"


def text(pattern=None):
    return {"type": "string", "minLength": 1} | ({"pattern": pattern} if pattern else {})


def exactly(*values):
    return {"enum": list(values)}


def record(required, optional=None):
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


OMH = record({
    "header": record({
        "id": text(ID),
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

VITAL = record(
    {
        "stage": exactly("daily", "historical"),
        "provider": exactly("freestyle_libre_ble", "manual"),
        "is_final_chunk": {"type": "boolean"},
        "data": {
            "type": "array",
            "items": record(
                {
                    "value": {"type": "number", "maximum": 60},
                    "unit": exactly("mmol/L"),
                    "type": exactly(
                        "unknown", "phone", "watch", "app", "ring", "multiple_sources", "chest_strap", "automatic",
                        "manual_scan", "cuff", "fingerprick",
                    ),
                    "start_date": text(UTC),
                    "end_date": text(UTC),
                },
                {"metadata": {"type": "object", "additionalProperties": {"type": "string"}}},
            ),
        },
    },
    {"time_zone": text(), "start_date": text(UTC), "end_date": text(UTC)},
)  # fmt: skip


def by_schema(schema, documents):
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(schema)
    for number, document in enumerate(documents, 1):
        for fault in Draft7Validator(schema).iter_errors(document):
            yield f"{number} {'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}"


def omh(source):
    documents = [json.loads(line) for line in source.splitlines()]
    return by_schema(OMH, documents), len(documents)


def tidepool(source):
    documents = json.loads(source)
    return by_schema(TIDEPOOL, documents), len(documents)


def vital(source):
    document = json.loads(source)
    return by_schema(VITAL, [document]), len(document["data"])


def fhir(source):
    """The base resources by fhir.resources (R4B), the CGM guide's own rules by fhirpathpy."""
    from fhir.resources.R4B.bundle import Bundle
    from fhirpathpy import evaluate
    from fhirpathpy.models import models

    document = json.loads(source)
    entries = document.get("entry", [])
    rules = [
        ("Observation", "value.exists() or dataAbsentReason.exists()"),
        ("Observation", "subject.exists() and effective.exists() and status = 'final'"),
        ("Observation", "(value.exists() and dataAbsentReason.exists()).not()"),
        ("Device", "identifier.exists() and deviceName.where(type = 'user-friendly-name').name.exists()"),
    ]
    units = {"99504-3": "mg/dL", "2339-0": "mg/dL", "105272-9": "mmol/L", "15074-8": "mmol/L"}
    profiles = {"99504-3": "mass", "105272-9": "moles"}

    def faults():
        try:
            Bundle.model_validate(document)
        except ValueError as error:
            yield str(error)
        if "entry" in document and not entries:
            yield "an empty array, which FHIR forbids"
        addresses = [entry["fullUrl"] for entry in entries]
        if len(addresses) != len(set(addresses)):
            yield "two entries have one fullUrl"
        for number, entry in enumerate(entries, 1):
            resource, request = entry["resource"], entry["request"]
            kind = resource["resourceType"]
            for name, rule in rules:
                if name == kind and evaluate(resource, rule, {}, models["r4"]) != [True]:
                    yield f"{number} not: {rule}"
            identifier = resource["identifier"][0]
            wanted = f"identifier={identifier['system']}|{identifier['value']}"
            if request != {"method": "POST", "url": kind, "ifNoneExist": wanted}:
                yield f"{number} request {request}"
            reference = resource.get("device", {}).get("reference")
            if reference and reference not in addresses[: number - 1]:
                yield f"{number} refers to {reference}, which does not come before it"
            if kind == "Observation":
                code = resource["code"]["coding"][0]["code"]
                unit = resource.get("valueQuantity", {}).get("code", units.get(code))
                if units.get(code) != unit:
                    yield f"{number} has code {code} and unit {unit}"
                profile = "".join(resource.get("meta", {}).get("profile", []))
                if code in profiles and not profile.endswith(f"cgm-sensor-reading-{profiles[code]}-per-volume"):
                    yield f"{number} has code {code} and profile {profile}"

    return faults(), sum(entry["resource"]["resourceType"] == "Observation" for entry in entries)


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
    check = {"omh": omh, "tidepool": tidepool, "vital": vital, "fhir": fhir, "terra": terra, "csv": table,
             "libreview": table}[sys.argv[1]]  # fmt: skip
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", newline="") as file:
            found, count = check(file.read())
        try:
            for line in found:
                print(f"{path}: " + line.replace("\n", " "))
        except (KeyError, IndexError) as error:
            print(f"{path}: {error!r}")
        print(f"{path}: {count} records")
