#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates documents against the published schemas: schemas.py NAME.schema.json... < documents.ndjson

Prints a line for each fault, which begins with the number of the document from 1, and at the end how many readings and
errors there were. A member that the schema does not name is a fault too, unless it allows any.
"""

import collections
import json
import os
import sys

from jsonschema import Draft202012Validator



def parts(root, schema):
    """The schema, and those that it refers to or chooses from."""
    yield schema
    if "$ref" in schema:
        yield from parts(root, root["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    for choice in schema.get("oneOf", []):
        yield from parts(root, choice)


def strangers(root, rules, value, path="$"):
    """The paths of members that no rule names."""
    rules = [part for rule in rules for part in parts(root, rule)]
    if isinstance(value, list):
        items = [rule["items"] for rule in rules if "items" in rule]
        for index, item in enumerate(value):
            yield from strangers(root, items, item, f"{path}[{index}]")
    elif isinstance(value, dict):
        others = [rule["additionalProperties"] for rule in rules if rule.get("additionalProperties")]
        for key, item in value.items():
            named = [rule["properties"][key] for rule in rules if key in rule.get("properties", {})]
            if named or others:
                yield from strangers(root, named or others, item, f"{path}.{key}")
            else:
                yield f"{path}.{key}"


schemas = {}
for path in sys.argv[1:]:
    with open(path) as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    name = os.path.basename(path).removesuffix(".schema.json")
    schemas[f"libre.{name}/1"] = Draft202012Validator(schema)
counts = collections.Counter()
for number, line in enumerate(sys.stdin, 1):
    document = json.loads(line, parse_constant=lambda word: print(number, "is not JSON:", word))
    counts[document["schema"]] += 1
    for fault in schemas[document["schema"]].iter_errors(document):
        print(number, document["schema"], fault.json_path, fault.message[:200])
    schema = schemas[document["schema"]].schema
    for path in strangers(schema, [schema], document):
        print(number, document["schema"], path, "is not in the schema")
print(counts["libre.reading/1"], "readings,", counts["libre.error/1"], "errors")
