// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// Imports, and the rows that each import brought.
  ///
  /// | table | a row is |
  /// |---|---|
  /// | `import` | one run of `libre import` or `libre store merge`; a number is never reused. `formats` is NULL until the import is complete |
  /// | `import_file` | a file or directory as typed |
  /// | `import_left_out` | the number of values left out, by reason |
  /// | `scan_import`, `sample_import`, `imported_import`, `finger_stick_import` | a row of that table that the import contains; `RowOrigin` has the rule |
  ///
  /// `deleted_scan` has the ids of scans removed with an import, which a merge does not restore. `stays` says what can
  /// restore a removed row: any source (`never`), a scan or an import but not a merge (`merged`), or only the user
  /// typing a finger-stick (`always`).
  static let imports = """
    CREATE TABLE import (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      formats TEXT,
      time_zone TEXT,
      scans INTEGER NOT NULL DEFAULT 0,
      new_scans INTEGER NOT NULL DEFAULT 0,
      added INTEGER NOT NULL DEFAULT 0,
      filled INTEGER NOT NULL DEFAULT 0,
      known INTEGER NOT NULL DEFAULT 0,
      conflicts INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE import_file (
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (import, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE import_left_out (
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (import, reason)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE scan_import (
      scan INTEGER NOT NULL REFERENCES scan (number) ON DELETE CASCADE,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      PRIMARY KEY (scan, import)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sample_import (
      wear INTEGER NOT NULL,
      ring INTEGER NOT NULL,
      minute INTEGER NOT NULL,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      PRIMARY KEY (wear, ring, minute, import),
      FOREIGN KEY (wear, ring, minute) REFERENCES sample (wear, ring, minute) ON DELETE CASCADE ON UPDATE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE imported_import (
      id BLOB NOT NULL REFERENCES imported (id) ON DELETE CASCADE,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      PRIMARY KEY (id, import)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE finger_stick_import (
      id BLOB NOT NULL REFERENCES finger_stick (id) ON DELETE CASCADE,
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      PRIMARY KEY (id, import)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE deleted_scan (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

    ALTER TABLE deleted_sample ADD COLUMN stays TEXT NOT NULL DEFAULT 'never'
      CHECK (stays IN ('never', 'merged', 'always'));
    ALTER TABLE deleted_entry ADD COLUMN stays TEXT NOT NULL DEFAULT 'always'
      CHECK (stays IN ('never', 'merged', 'always'));
    """

  /// The way in which the local times of an imported file were read, so that the same file with another zone is recognised.
  static let importDating = """
    CREATE TABLE import_dating (
      import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
      sha256 TEXT NOT NULL,
      time_zone TEXT,
      date_order TEXT NOT NULL,
      PRIMARY KEY (import, sha256)
    ) STRICT, WITHOUT ROWID;
    """
}
