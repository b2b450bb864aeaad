// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import HistoryFormats
public import SampleStore
import TextFormats

/// The history as it is written to standard output, entry by entry, so that its length does not matter.
public struct HistoryListing {
  private let format: OutputFormat
  private let unit: GlucoseUnit
  private var table: HistoryTable
  private var document: (any HistoryDocument)?
  public private(set) var count = 0

  /// `rings` are those that were asked for: more than one need a column in the table, and so do several calibrations.
  public init(
    format: OutputFormat, unit: GlucoseUnit, style: Style, rings: Set<SampleRing>, showsCalibration: Bool
  ) {
    self.format = format
    self.unit = unit
    table = HistoryTable(unit: unit, style: style, showsRing: rings.count > 1, showsCalibration: showsCalibration)
    let context = ExportContext(
      unit: unit, program: "libre", version: Version.number, now: LocalTime.now,
      offsetSeconds: { LocalTime.offsetSeconds(at: $0) ?? 0 }, zoneName: LocalTime.zoneName, person: nil)
    switch format {
    case .csv: document = CSVWriter().document(context)
    case .ndjson: document = NDJSONWriter().document(context)
    case .json, .table: document = nil
    }
  }

  /// What comes before the first entry.
  public mutating func begin() -> [UInt8] {
    switch format {
    case .table: []
    case .json: Array("{\n  \"schema\": \"\(SchemaDocument.history.identifier)\",\n  \"samples\": [".utf8)
    case .csv, .ndjson: document?.begin() ?? []
    }
  }

  public mutating func add(_ entry: HistoryEntry) -> [UInt8] {
    defer { count += 1 }
    switch format {
    case .table: return Array(((count == 0 ? table.head : "") + table.row(entry)).utf8)
    case .json:
      var writer = JSONWriter(indented: false)
      SampleJSON.write(entry, unit: unit, to: &writer)
      return Array((count == 0 ? "\n    " : ",\n    ").utf8) + writer.bytes
    case .csv, .ndjson: return document?.add(entry) ?? []
    }
  }

  /// `deleted` are the ids of what was removed since the anchor that was asked for, `anchor` is the next one.
  public mutating func end(deleted: [SampleID], anchor: StoreAnchor) -> [UInt8] {
    switch format {
    case .table: return count == 0 ? [] : Array("\n\(ReadingTable.disclaimer)\n".utf8)
    case .json:
      var writer = JSONWriter(indented: true)
      writer.object { json in
        json.member("deleted", deleted.map(\.description))
        json.member("anchor", anchor.description)
      }
      // The object goes on where the samples end.
      return Array((count == 0 ? "]," : "\n  ],").utf8) + writer.bytes.dropFirst() + [0x0A]
    case .csv, .ndjson: return document?.end() ?? []
    }
  }
}

extension SensorStore {
  /// What is read inside is of one moment, whatever is written meanwhile. Throws what `work` throws, and `store`.
  public func reading<Value>(_ work: () throws(LibreError) -> Value) throws(LibreError) -> Value {
    let result = try libre { store throws(StoreError) in
      try store.snapshot {
        Result { () throws(LibreError) in try work() }
      }
    }
    return try result.get()
  }

  /// The anchor of this moment, and the ids of what was removed since another. Throws `LibreError.store`: `badAnchor`.
  public func changes(after anchor: StoreAnchor?) throws(LibreError) -> (removed: [SampleID], next: StoreAnchor) {
    try libre { store throws(StoreError) in
      let removals = try anchor.map { after throws(StoreError) in try store.removals(after: after) } ?? []
      return (removals.map(\.id), try store.anchor())
    }
  }
}

extension Removal {
  var id: SampleID {
    switch self {
    case .sample(let uid, let wear, let ring, let minute):
      UUIDv5.sample(uid: uid, ring: ring, minute: minute, wear: wear)
    case .entry(let id): id
    }
  }
}
