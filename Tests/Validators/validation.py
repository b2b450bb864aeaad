# SPDX-License-Identifier: Apache-2.0
"""What the validate.py of several tests share: words for JSON Schemas, rules of more than one of them, the report.

A check takes the text of a document and returns its faults, one line each, and how many records it has.
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")

UTC = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"
UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"


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


def by_schema(schema, documents):
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(schema)
    for number, document in enumerate(documents, 1):
        for fault in Draft7Validator(schema).iter_errors(document):
            yield f"{number} {'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}"


def held_against(schema, count=lambda document: len(document) if isinstance(document, list) else 1):
    """The check of one JSON document by its schema."""

    def check(source):
        document = json.loads(source)
        return by_schema(schema, [document]), count(document)

    return check


def vital(*types):
    """The check of Vital's body, whose values are of these types."""
    return vital_body(vital_quantity("mmol/L", 60, *types), "freestyle_libre_ble", "manual")


def vital_blood_pressure(*providers):
    """The check of Vital's body of blood pressure, which these providers may have measured."""
    pressure = vital_quantity("mmHg", 400, "cuff")
    element = record(
        {"systolic": pressure, "diastolic": pressure}, {"pulse": vital_quantity("bpm", 400, "cuff")})
    return vital_body(element, *providers)


def vital_quantity(unit, maximum, *types):
    return record(
        {
            "value": {"type": "number", "maximum": maximum},
            "unit": exactly(unit),
            "type": exactly(*types),
            "start_date": text(UTC),
            "end_date": text(UTC),
        },
        {"metadata": {"type": "object", "additionalProperties": {"type": "string"}}},
    )


def vital_body(element, *providers):
    schema = record(
        {
            "stage": exactly("daily", "historical"),
            "provider": exactly(*providers),
            "is_final_chunk": {"type": "boolean"},
            "data": {"type": "array", "items": element},
        },
        {"time_zone": text(), "start_date": text(UTC), "end_date": text(UTC)},
    ) | {
        "if": {"properties": {"stage": exactly("historical")}},
        "then": {"required": ["start_date", "end_date"]},
    }
    return held_against(schema, lambda document: len(document["data"]))


def fhir(source, more_rules=()):
    """The base resources by fhir.resources (R4B), the rules of the CGM guide and of FHIR's profile of blood pressure by
    fhirpathpy; a rule is (kind, FHIRPath)."""
    from fhir.resources.R4B.bundle import Bundle
    from fhirpathpy import evaluate
    from fhirpathpy.models import models

    document = json.loads(source)
    entries = document.get("entry", [])
    rules = [
        ("Observation", "value.exists() or dataAbsentReason.exists() or component.exists()"),
        ("Observation", "subject.exists() and effective.exists() and status = 'final'"),
        ("Observation", "(value.exists() and dataAbsentReason.exists()).not()"),
        ("Device", "identifier.exists() and deviceName.where(type = 'user-friendly-name').name.exists()"),
        *more_rules,
    ]
    # The profile http://hl7.org/fhir/StructureDefinition/bp, which a panel has to name.
    panel = (
        "code.coding.where(system = 'http://loinc.org' and code = '85354-9').exists()"
        " and meta.profile = 'http://hl7.org/fhir/StructureDefinition/bp'"
        " and category.coding.code = 'vital-signs' and value.exists().not()"
        " and component.where(code.coding.code = '8480-6').count() = 1"
        " and component.where(code.coding.code = '8462-4').count() = 1"
        " and component.all(value.exists() and value.system = 'http://unitsofmeasure.org')"
        " and component.where(code.coding.code != '8867-4').all(value.code = 'mm[Hg]')"
        " and component.where(code.coding.code = '8867-4').all(value.code = '/min')"
    )
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
            if "component" in resource and evaluate(resource, panel, {}, models["r4"]) != [True]:
                yield f"{number} is no panel of blood pressure: {json.dumps(resource)}"
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


def main(checks):
    """Called as KIND FILE...: prints one line for each fault, and after each file how many records it had."""
    check = checks[sys.argv[1]]
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", newline="") as file:
            source = file.read()
        try:
            faults, count = check(source)
            for fault in faults:
                print(f"{path}: " + fault.replace("\n", " "))
            print(f"{path}: {count} records")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            print(f"{path}: {error!r}")
