#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes an archive of memories, one in each line, with Apache Spark.

    decode.py MEMORIES READINGS              text: a line of JSON for each memory, in the order of the memories
    decode.py MEMORIES READINGS --parquet    Parquet: a row for each memory

MEMORIES is a file, a directory, or several with commas between them; READINGS is a new directory.
--master takes Spark's address (default: local[*]).
Needs the packages in requirements.txt, Java, and libre on each worker; LIBRE names another program than `libre`.
"""

import argparse
import json
import os
import shlex
import subprocess

from pyspark.sql import SparkSession

# One line out for each line in: a reading or a libre.error/1, with the members of the line that libre does not know in
# `input`. Spark starts a process for each partition, so that one thread in each is enough; source.line counts the lines
# of the partition. A partition of which nothing can be decoded is no failure.
COMMAND = [os.environ.get("LIBRE", "libre"), "decode", "-", "--ndjson", "--keep-members", "--keep-going", "--jobs", "1"]
COMMAND.append("--quiet")
COLUMNS = "id string, uid string, read_at string, state string, glucose_mg_dl double, error string, document string"


def row(line):
    answer = json.loads(line)
    if answer["schema"] == "libre.error/1":
        return (None, None, None, None, None, answer["code"], line)
    sensor, current = answer["sensor"], answer["current"] or {}
    return (answer["id"], sensor["uid"], answer["read_at"], sensor["state"], current.get("glucose_mg_dl"), None, line)


def decoded(batches):
    """Rows of memories to rows of readings. An empty partition has no batch, and starts no process."""
    import pandas

    names = [column.split()[0] for column in COLUMNS.split(", ")]
    for batch in batches:
        memories = "".join(f"{line}\n" for line in batch["value"])
        result = subprocess.run(COMMAND, input=memories.encode(), stdout=subprocess.PIPE, check=True)
        lines = result.stdout.decode().split("\n")[:-1]
        yield pandas.DataFrame([row(line) for line in lines], columns=names)


arguments = argparse.ArgumentParser()
arguments.add_argument("memories")
arguments.add_argument("readings")
arguments.add_argument("--parquet", action="store_true")
arguments.add_argument("--master", default="local[*]")
options = arguments.parse_args()

spark = SparkSession.builder.master(options.master).appName("libre").getOrCreate()
if options.parquet:
    spark.read.text(options.memories.split(",")).mapInPandas(decoded, COLUMNS).write.parquet(options.readings)
else:
    memories = spark.sparkContext.textFile(options.memories)
    # Without checkCode a worker without libre would give an empty file, and no error.
    memories.pipe(shlex.join(COMMAND), checkCode=True).saveAsTextFile(options.readings)
spark.stop()
