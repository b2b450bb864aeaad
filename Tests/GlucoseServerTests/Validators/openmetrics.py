#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads OpenMetrics from standard input by the strict parser of prometheus_client, and prints each family in JSON."""

import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

families = text_string_to_metric_families(sys.stdin.read())
json.dump(
    [{"name": f.name, "type": f.type, "unit": f.unit, "samples": len(f.samples)} for f in families], sys.stdout)
