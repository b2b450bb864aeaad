#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sorts pairs into the zones of error grids with methcomp: errorgrids.py STEP

The pairs are the references 1 to 550 mg/dL with the sensor values 0 to 550, all whole. Prints one JSON object: for each
grid, `counts` of all of them by zone, and `rows` of every STEPth reference, its sensor values from 0 on as runs: `51A9B`.
"""

import itertools
import json
import sys
import warnings

warnings.filterwarnings("ignore")

import numpy  # noqa: E402
import shapely  # noqa: E402
from methcomp import glucose  # noqa: E402

REFERENCES = range(1, 551)
VALUES = range(0, 551)


class Area:
    """What methcomp asks of a polygon, answered for all pairs at once: one by one it takes half a minute."""

    def __init__(self, corners):
        self.holds = shapely.contains_xy(shapely.Polygon(corners), references, values)

    def contains(self, place):
        return self.holds[place]


references, values = (a.ravel().astype(float) for a in numpy.meshgrid(REFERENCES, VALUES, indexing="ij"))
glucose.Polygon = Area
glucose.Point = lambda reference, value: int(reference - REFERENCES[0]) * len(VALUES) + int(value)


def figures(zones, step):
    rows = {}
    for reference in itertools.islice(REFERENCES, step - 1, None, step):
        start = (reference - REFERENCES[0]) * len(VALUES)
        row = zones[start : start + len(VALUES)]
        rows[str(reference)] = "".join(f"{len(list(run))}{zone}" for zone, run in itertools.groupby(row))
    return {"counts": {zone: zones.count(zone) for zone in "ABCDE"}, "rows": rows}


grids = {
    "clarke": glucose.clarkezones(references, values, "mgdl"),
    "parkes-1": glucose.parkeszones(1, references, values, "mgdl"),
    "parkes-2": glucose.parkeszones(2, references, values, "mgdl"),
}
json.dump({name: figures(zones, int(sys.argv[1])) for name, zones in grids.items()}, sys.stdout, indent=1)
sys.stdout.write("\n")
