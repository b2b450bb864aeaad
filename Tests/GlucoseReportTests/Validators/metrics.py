#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes glucose statistics with other people's programs: metrics.py <values.csv

The table has the columns time (of the clock on the wall, without a zone) and glucose (mg/dL). Prints one JSON object:
`iglu` has the figures of iglu-python, `agata` those of py-agata whose definitions are the same, or null where the
times are not uniform, which py-agata does not take. A number that does not exist is null.
"""

import json
import math
import os
import sys
import warnings

# iglu-python moves times from the machine's zone.
os.environ["TZ"] = "UTC"
warnings.filterwarnings("ignore")

import iglu_python as iglu  # noqa: E402
import pandas  # noqa: E402


def number(value):
    value = float(value)
    return value if math.isfinite(value) else None


def iglu_figures(table):
    def value(function, *arguments, **options):
        return number(function(table.copy(), *arguments, **options).iloc[0, 1])

    def below(limit):
        return value(iglu.below_percent, targets_below=[limit])

    def above(limit):
        return value(iglu.above_percent, targets_above=[limit])

    def within(low, high):
        return value(iglu.in_range_percent, target_ranges=[[low, high]])

    figures = {
        "mean": value(iglu.mean_glu),
        "sd": value(iglu.sd_glu),
        "cv": value(iglu.cv_glu),
        "gmi": value(iglu.gmi),
        "ea1c": value(iglu.ea1c),
        "very_low": below(54),
        "low": below(70) - below(54),
        "target": within(70, 180),
        "high": above(180) - above(250),
        "very_high": above(250),
        "tight": within(70, 140),
        "pregnancy": within(63, 140),
        "below_pregnancy": below(63),
        "above_pregnancy": above(140),
        "gri": value(iglu.gri),
        "j_index": value(iglu.j_index),
        "lbgi": value(iglu.lbgi),
        "hbgi": value(iglu.hbgi),
        "grade": value(iglu.grade),
        # Its own limit is 80, with which the three parts make more than 100 %.
        "grade_hypo": value(iglu.grade_hypo, lower=70),
        "grade_eu": value(iglu.grade_eugly),
        "grade_hyper": value(iglu.grade_hyper),
        "cogi": value(iglu.cogi),
        "modd": value(iglu.modd),
        "conga": value(iglu.conga),
        "mag": value(iglu.mag),
        "adrr": value(iglu.adrr),
        "mage": value(iglu.mage),
    }
    names = {
        ("hypo", "lv1"): "low",
        ("hypo", "lv2"): "very_low",
        ("hypo", "extended"): "prolonged_low",
        ("hyper", "lv1"): "high",
        ("hyper", "lv2"): "very_high",
    }
    for _, row in iglu.episode_calculation(table.copy()).iterrows():
        name = names.get((row["type"], row["level"]))
        if name:
            figures[f"{name}_episodes"] = number(row["total_episodes"])
            figures[f"{name}_episodes_per_day"] = number(row["avg_ep_per_day"])
            # It says 0 minutes of no episodes.
            figures[f"{name}_episode_minutes"] = number(row["avg_ep_duration"]) if row["total_episodes"] else None
    return figures


def agata_figures(table):
    from py_agata import risk, time_in_ranges, variability

    if table["time"].diff().dropna().nunique() != 1:
        return None
    table = pandas.DataFrame({"t": table["time"], "glucose": table["gl"]})
    functions = {
        "mean": variability.mean_glucose,
        "sd": variability.std_glucose,
        "cv": variability.cv_glucose,
        "gmi": variability.gmi,
        "very_low": time_in_ranges.time_in_l2_hypoglycemia,
        "low": time_in_ranges.time_in_l1_hypoglycemia,
        "target": time_in_ranges.time_in_target,
        "high": time_in_ranges.time_in_l1_hyperglycemia,
        "very_high": time_in_ranges.time_in_l2_hyperglycemia,
        "gri": risk.gri,
        "j_index": variability.j_index,
        "lbgi": risk.lbgi,
        "hbgi": risk.hbgi,
        "adrr": risk.adrr,
        "modd": variability.modd,
    }
    return {name: number(function(table)) for name, function in functions.items()}


table = pandas.read_csv(sys.stdin, parse_dates=["time"], float_precision="round_trip")
table = pandas.DataFrame({"id": "1", "time": table["time"], "gl": table["glucose"].astype(float)})
# What a program says of itself goes where it does no harm.
output, sys.stdout = sys.stdout, sys.stderr
json.dump({"iglu": iglu_figures(table), "agata": agata_figures(table)}, output, indent=1)
output.write("\n")
