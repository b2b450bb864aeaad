// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  import HostSystem

  /// The values that Abbott's LibreLink app stored in its database `sas.db`: ``LibreLinkDatabase``. The scans
  /// themselves are a dump format of the same name.
  struct LibreLinkReader: HistoryReader {
    let name = "librelink"
    let summary = "LibreLink's database sas.db (SQLite): the values of its history and scans"

    private static let limits = 40.0...500.0

    func hasSignature(_ file: any HistoryFile) -> Bool {
      file.head.starts(with: ForeignDatabase.signature) && file.path.map(LibreLinkDatabase.isOne(at:)) ?? false
    }

    @discardableResult func read(
      _ file: any HistoryFile, _ options: ImportOptions, _ entry: (HistoryEntry) throws(HistoryError) -> Void
    ) throws(HistoryError) -> HistoryFacts {
      guard let path = file.path, file.head.starts(with: ForeignDatabase.signature) else {
        throw .notThisFormat(lacks: "SQLite's signature at the start of a file of its own")
      }
      let database = try LibreLinkDatabase(path)
      let serials = try database.serials()
      var facts = HistoryFacts()
      for ring in [SampleRing.history, .trend] {
        try database.forEachValue(of: ring) { value throws(HistoryError) in
          try facts.refused.collect { () throws(HistoryError) in
            let shown = try ShownGlucose.read(
              value.milligramsPerDecilitre, options.unit(.milligramsPerDecilitre), line: nil,
              name: "\(LibreLinkDatabase.table(of: ring)).glucoseValue")
            let glucose = shown.clamped(to: Self.limits)
            try entry(imported(glucose, at: value.time, ring: ring, device: serials[value.sensor]))
          }
        }
      }
      return facts
    }
  }
#endif
