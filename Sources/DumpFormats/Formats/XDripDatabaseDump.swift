// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import Libre1Core

  /// A database exported by xDrip+: months of scans with their times, read in the order of their times.
  ///
  /// | table `LibreBlock` | |
  /// |---|---|
  /// | `timestamp` | milliseconds since 1970, when the phone got the bytes |
  /// | `blockbytes` | the bytes |
  /// | `bytestart`, `byteend` | 0 and 344 for a whole memory; other rows (44 for a Bluetooth packet) are skipped |
  /// | `patchUid`, `patchInfo` | may be empty; old databases have no such columns |
  ///
  /// (read: xDrip `LibreBlock.java`, `46d1118` and, with all columns, `4080a26`.) Only one scan is in memory at a time;
  /// a scan that cannot be read gives a failure in its place.
  struct XDripDatabaseDump: DumpFormat {
    let name = "xdrip"
    let summary = "xDrip+ database export (SQLite), with the UID and the time of each scan"

    private static let table = ScanTable(
      name: "LibreBlock", time: "timestamp", bytes: "blockbytes", required: ["timestamp", "bytestart", "byteend"],
      facts: ["patchUid", "patchInfo"],
      // The plus signs keep SQLite from using the indices of these two columns, after which it would have to sort.
      condition: "+bytestart = 0 AND +byteend = \(MemoryMap.byteCount)")

    func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
      try DumpSequence(Self.table, in: try file.database()) { row, table throws(DumpError) in
        try table.dump(of: row, uid: row.facts[0], in: "LibreBlock.patchUid", patchInfo: row.facts[1])
      }
    }
  }
#endif
