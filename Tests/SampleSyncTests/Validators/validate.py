#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what sinks send with other people's validators: validate.py KIND FILE...

Terra's event is held against the models of Terra's own client, the rest with jsonschema against schemas that say in our
words what was read in their sources.
"""

import json
from datetime import datetime

import validation
from validation import UTC, UUID, by_schema, exactly, held_against, main, record, text

DIRECTIONS = [
    "NONE", "DoubleUp", "SingleUp", "FortyFiveUp", "Flat", "FortyFiveDown", "SingleDown", "DoubleDown",
    "NOT COMPUTABLE", "RATE OUT OF RANGE",
]  # fmt: skip
# Members of ours, which these receivers keep as they are.
OURS = {"sample_id": text(UUID), "reference_id": text()}
# Milliseconds, not seconds: version 3 refuses what is not after 2000.
MOMENT = {"type": "integer", "exclusiveMinimum": 946_684_800_000}
SGV = {"type": "integer", "minimum": 39}

NIGHTSCOUT = {
    "type": "array",
    "items": record(
        {
            "type": exactly("sgv"),
            "sgv": SGV,
            "date": MOMENT,
            "dateString": text(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}([+-]\d\d:\d\d|Z)$"),
            "device": text(),
        },
        {"direction": exactly(*DIRECTIONS)} | OURS,
    ),
}

NIGHTSCOUT3 = record(
    {
        "identifier": text(UUID),
        "type": exactly("sgv"),
        "sgv": SGV,
        "units": exactly("mg"),
        "date": MOMENT,
        "utcOffset": {"type": "integer", "minimum": -1440, "maximum": 1440},
        "app": text(),
        "device": text(),
    },
    {"direction": exactly(*DIRECTIONS)} | OURS,
)

# Home Assistant's own words for an MQTT sensor, as far as they are used.
SENSOR = {
    "name": text(),
    "unique_id": text(r"^libre_[A-Za-z0-9_-]+$"),
    "value_template": text(r"^\{\{ value_json\.[a-z]+ \}\}$"),
    "device_class": exactly("blood_glucose_concentration", "timestamp", "enum"),
    "state_class": exactly("measurement"),
    "unit_of_measurement": exactly("mg/dL", "mmol/L"),
    "suggested_display_precision": {"type": "integer", "minimum": 0},
    "force_update": {"type": "boolean"},
    "expire_after": {"type": "integer", "minimum": 1},
    "json_attributes_topic": text(r"^[^+#]+$"),
    "entity_category": exactly("diagnostic", "config"),
    "icon": text(r"^mdi:"),
    "options": {"type": "array", "minItems": 1, "items": text()},
}
TOPICS = {"state_topic": text(r"^[^+#]+$"), "availability_topic": text(r"^[^+#]+$")}
DEVICE = {
    "device": record(
        {"identifiers": {"type": "array", "minItems": 1, "items": text()}, "name": text()},
        {"manufacturer": text(), "model": text(), "serial_number": text()},
    )
}
NAMED = ("name", "unique_id", "value_template")
# A unit needs a class that has one, options need the class of lists, a moment has no unit.
CLASSES = {
    "allOf": [
        {
            "if": {"properties": {"device_class": exactly("enum")}, "required": ["device_class"]},
            "then": {"required": ["options"], "not": {"required": ["state_class"]}},
            "else": {"not": {"required": ["options"]}},
        },
        {
            "if": {"required": ["unit_of_measurement"]},
            "then": {
                "properties": {"device_class": exactly("blood_glucose_concentration")},
                "required": ["device_class"],
            },
        },
    ]
}
ENTITY = record(
    {key: SENSOR[key] for key in NAMED} | {"state_topic": TOPICS["state_topic"]} | DEVICE,
    {key: value for key, value in SENSOR.items() if key not in NAMED}
    | {"availability_topic": TOPICS["availability_topic"]},
) | CLASSES
COMPONENT = record(
    {key: SENSOR[key] for key in NAMED} | {"platform": exactly("sensor")},
    {key: value for key, value in SENSOR.items() if key not in NAMED},
) | CLASSES
DEVICE_DISCOVERY = record(
    DEVICE
    | {
        "origin": record({"name": text()}, {"sw_version": text(), "support_url": text(r"^https?://")}),
        "components": {"type": "object", "minProperties": 1, "additionalProperties": COMPONENT},
        "state_topic": TOPICS["state_topic"],
    },
    {"availability_topic": TOPICS["availability_topic"]},
)

NUMBER_OR_NULL = {"type": ["number", "null"]}
STATE = record(
    {
        "mgdl": {"type": "number"},
        "mmol": {"type": "number"},
        "time": text(UTC),
        "minute": {"type": "integer", "minimum": 1},
        "serial": {"type": ["string", "null"]},
    },
    {
        "direction": exactly(*DIRECTIONS, None),
        "delta": NUMBER_OR_NULL,
        "state": exactly("not_activated", "warming_up", "active", "expired", "shutdown", "failure", "unknown", None),
        "activated": {"anyOf": [text(UTC), {"type": "null"}]},
        "expires": {"anyOf": [text(UTC), {"type": "null"}]},
    }
    | OURS,
)

TIDEPOOL_SET = record(
    {
        "client": record({"name": text(r"^[a-z0-9-]+(\.[a-z0-9-]+)+$"), "version": text(r"^\d+\.\d+\.\d+")}),
        "dataSetType": exactly("continuous", "normal"),
        "deduplicator": record({"name": text(r"^org\.tidepool\.deduplicator\."), "version": text(r"^\d+\.\d+\.\d+$")}),
        "deviceId": text(),
        "deviceTags": {"type": "array", "minItems": 1, "items": exactly("bgm", "cgm", "insulin-pump")},
        "time": text(UTC),
        "timezoneOffset": {"type": "integer", "minimum": -10080, "maximum": 10080},
    },
    {
        "deviceManufacturers": {"type": "array", "minItems": 1, "items": text()},
        "deviceModel": text(),
        "deviceSerialNumber": text(),
        "timeProcessing": exactly("none", "across-the-board-timezone", "utc-bootstrapping"),
        "timezone": text(r"^[A-Za-z_]+(/[A-Za-z_+-]+)*$"),
    },
)


def nightscout(source):
    entries = json.loads(source)

    def faults():
        yield from by_schema(NIGHTSCOUT, [entries])
        # Nightscout reads dateString first: another moment than date's would be another entry.
        for number, entry in enumerate(entries):
            moment = datetime.fromisoformat(entry["dateString"].replace("Z", "+00:00"))
            if moment.timestamp() * 1000 != entry["date"]:
                yield f"{number} {entry['dateString']} is not {entry['date']}"

    return faults(), len(entries)


def terra(source):
    """Terra's own Python client: its models, as its client reads them from the wire."""
    from terra.core.serialization import convert_and_respect_annotation_metadata
    from terra.types.body_event import BodyEvent

    document = json.loads(source)
    count = sum(len(body["glucose_data"].get("blood_glucose_samples", [])) for body in document["data"])
    try:
        model = BodyEvent.model_validate(
            convert_and_respect_annotation_metadata(object_=document, annotation=BodyEvent, direction="read"))
    except ValueError as error:
        return [str(error)], count
    if model.model_extra or model.user.model_extra:
        return [f"members that Terra does not have: {model.model_extra} {model.user.model_extra}"], count
    return [], count


if __name__ == "__main__":
    main({
        "nightscout": nightscout,
        "nightscout-v3": held_against(NIGHTSCOUT3),
        "entity": held_against(ENTITY),
        "device": held_against(DEVICE_DISCOVERY, lambda document: len(document["components"])),
        "state": held_against(STATE),
        "tidepool-set": held_against(TIDEPOOL_SET),
        "vital": validation.vital("manual_scan", "automatic", "unknown"),
        "vital-blood-pressure": validation.vital_blood_pressure("freestyle_libre_ble", "manual"),
        "terra": terra,
    })
