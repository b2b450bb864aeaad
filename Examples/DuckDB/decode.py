#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes an archive of memories, one in each line, and makes two Parquet files of it with DuckDB.

    decode.py MEMORIES DIRECTORY    DIRECTORY/readings.parquet, a row for each memory; DIRECTORY/samples.parquet

Needs the package in requirements.txt, and libre; LIBRE names another program than `libre`.
"""

import os
import subprocess
import sys

import duckdb

memories, directory = sys.argv[1:]
lines = os.path.join(directory, "readings.ndjson")
with open(lines, "wb") as output:
    command = [os.environ.get("LIBRE", "libre"), "decode", memories, "--lines", "--ndjson", "--quiet"]
    subprocess.run(command, stdout=output, check=True)

# The columns are named, so that a file in which nobody has an error gets the same ones.
duckdb.execute(
    """
    CREATE TABLE answers AS SELECT * FROM read_json($lines, format = 'newline_delimited', columns = {
      schema: 'VARCHAR', id: 'UUID', read_at: 'TIMESTAMPTZ', source: 'STRUCT(line BIGINT, sha256 VARCHAR)',
      sensor: 'STRUCT(uid VARCHAR, fingerprint VARCHAR, serial VARCHAR, family VARCHAR, state VARCHAR,
        age_minutes INTEGER)',
      "current": 'STRUCT(glucose_mg_dl DOUBLE, direction VARCHAR)', code: 'VARCHAR', message: 'VARCHAR',
      history: 'STRUCT(id UUID, "minute" INTEGER, "time" TIMESTAMPTZ, quality VARCHAR, glucose_mg_dl DOUBLE)[]'})
    """,
    {"lines": lines},
)
os.remove(lines)

READINGS = """
  SELECT source.line, id, read_at, sensor.uid, sensor.fingerprint, sensor.serial, sensor.family, sensor.state,
    sensor.age_minutes, "current".glucose_mg_dl, "current".direction, code AS error, message
  FROM answers ORDER BY source.line
"""
# A sample is in several memories; one of each is kept. A bare memory has neither a UID nor ids of samples, but the
# fingerprint of its sensor; a memory without both is a sensor of its own.
SAMPLES = """
  SELECT DISTINCT ON (origin, sample."minute", sample.id) sample.id, sensor.uid, sensor.fingerprint, sample."minute",
    sample."time", sample.quality, sample.glucose_mg_dl
  FROM (
    SELECT sensor, source.line, coalesce(sensor.uid, sensor.fingerprint, source.line::VARCHAR) AS origin,
      unnest(history) AS sample
    FROM answers WHERE schema = 'libre.reading/1')
  ORDER BY origin, sample."minute", sample.id, line
"""
for name, query in (("readings", READINGS), ("samples", SAMPLES)):
    duckdb.sql(query).write_parquet(os.path.join(directory, f"{name}.parquet"))
