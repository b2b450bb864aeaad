// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import Libre1Core

  /// A database exported by xDrip+: months of scans, read in the order of their times (DumpFormats/Formats, "xDrip
  /// database"). Only one scan is in memory at a time; one that cannot be read gives a failure in its place.
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
