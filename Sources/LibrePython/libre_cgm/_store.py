# SPDX-License-Identifier: Apache-2.0
"""The history that the libre command keeps."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ._library import QUALITIES

if TYPE_CHECKING:
    import pandas as pd


def history(store: str | os.PathLike[str]) -> pd.DataFrame:
    """Reads the store of the libre command, which may be in use, with its view `history`, and changes nothing.

    The index `time` is the time of the measurement in UTC, oldest first; NaT until a scan has dated the sensor. It has
    the columns:

    * `glucose_mg_dl`: mg/dL, NaN unless the quality is `ok`
    * `quality`: a category, whose values are those of `QUALITIES`
    * `ring`: a category, `history` (each 15 minutes), `trend` (each minute) or `finger_stick`
    * `minute`, `wear`: minutes since the sensor was started, and the number of its life; NA for an imported value
    * `uid`, `serial`: of the sensor
    * `temperature_c`: degrees Celsius at the sensor
    * `model_glucose_mg_dl`: the formula's result in mg/dL whatever the quality
    * `source`, `device`, `bound`, `note`: of an imported value or a finger-stick

    What is missing is NaN or NA.

    :raises ImportError: without pandas, which the extra `pandas` brings.
    :raises FileNotFoundError: if there is no such file.
    :raises ValueError: if the file is not a store, or has no view `history`.
    :raises sqlite3.OperationalError: if the file cannot be read.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("history needs pandas; try: pip install 'libre-cgm[pandas]'") from error

    path = Path(store).absolute()
    path.stat()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path} is not a database of SQLite") from error
        if ("history",) not in views:
            raise ValueError(f"{path} has no view 'history'; expected a store of libre")
        rows = connection.execute("SELECT * FROM history ORDER BY time NULLS LAST, ring")
        table = pd.DataFrame(rows.fetchall(), columns=[column[0] for column in rows.description])
    table["time"] = pd.to_datetime(table["time"], utc=True, format="%Y-%m-%dT%H:%M:%SZ").dt.as_unit("us")
    table["quality"] = pd.Categorical(table["quality"], categories=list(QUALITIES.values()))
    table["ring"] = pd.Categorical(table["ring"], categories=["history", "trend", "finger_stick"])
    types = dict.fromkeys(("glucose_mg_dl", "model_glucose_mg_dl", "temperature_c"), "float64")
    types |= dict.fromkeys(("minute", "wear"), "Int64")
    types |= dict.fromkeys(("uid", "serial", "source", "device", "bound", "note"), "string")
    return table.astype(types).set_index("time")
