#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes an archive of memories, one in each line, into a table of samples, and prints the mean of each sensor.

    decode.py MEMORIES SAMPLES.parquet

Needs the packages in requirements.txt, and libre; LIBRE names another program than `libre`.
"""

import os
import subprocess
import sys

import pandas

memories, parquet = sys.argv[1:]
# --keep-going: a memory that cannot be decoded has no rows, and is reported on standard error.
command = [os.environ.get("LIBRE", "libre"), "decode", memories, "--lines", "--keep-going", "--csv"]
with subprocess.Popen(command, stdout=subprocess.PIPE) as libre:
    texts = dict.fromkeys(("id", "uid", "serial", "errors", "fingerprint"), "string")
    samples = pandas.read_csv(libre.stdout, parse_dates=["time", "read_at"], dtype=texts)
if libre.returncode != 0:
    sys.exit(f"libre ended with status {libre.returncode}")
# A bare memory has neither a UID nor ids of samples, but the fingerprint of its sensor; a memory without both is a
# sensor of its own.
samples["sensor"] = samples.uid.fillna(samples.fingerprint).fillna(samples.line.astype("string"))
samples.to_parquet(parquet)
# A sample is in several memories. Values that must not be used as glucose are empty, so that a mean needs no filter.
unique = samples.drop_duplicates(["sensor", "ring", "minute", "id"])
print(unique.groupby("sensor").glucose_mg_dl.mean().round(1).to_string())
