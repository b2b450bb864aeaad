#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates documents against the published schemas: schemas.py NAME.schema.json... < documents.ndjson

Prints a line for each fault, which begins with the number of the document from 1, and at the end how many readings and
errors there were.
"""

import collections
import json
import os
import sys

from jsonschema import Draft202012Validator

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
print(counts["libre.reading/1"], "readings,", counts["libre.error/1"], "errors")
