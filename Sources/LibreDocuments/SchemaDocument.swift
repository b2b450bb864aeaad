// SPDX-License-Identifier: Apache-2.0
public import LibreKit

/// The published documents, each with its JSON Schema (draft 2020-12).
public enum SchemaDocument: String, Hashable, Sendable, CaseIterable {
  case reading
  case dump
  case readers
  case doctor
  case `import`
  case sample
  case history
  case latest
  case sensors
  case stats
  case comparison
  case status
  case sinks
  case sync
  case batch
  case outbox
  case probe
  case sinkTypes = "sink_types"
  case error

  /// As in the document's `schema` member.
  public var identifier: String { "libre.\(rawValue)/1" }

  public var summary: String {
    switch self {
    case .reading: "one scan or one decoded dump"
    case .dump: "a sensor's memory, not decoded (libre convert --to json)"
    case .readers: "the readers that are plugged in"
    case .doctor: "whether a sensor can be read on this machine"
    case .import: "what importing one file gave"
    case .sample: "one entry of a history (libre history --ndjson, libre export --format ndjson)"
    case .history: "samples of the store, with the anchor to go on from"
    case .latest: "the newest usable value of the store"
    case .sensors: "the sensors of the store"
    case .stats: "the history in numbers, day by day"
    case .comparison: "calibrations held against a reference (libre compare --json)"
    case .status: "readers, sensor, store and sinks at a moment"
    case .sinks: "the sinks, and how sending to them goes"
    case .sync: "what happened while samples were sent: an event, one a line (libre sync --json)"
    case .batch: "what a webhook gets"
    case .outbox: "what sinks lack, and what they would not take"
    case .probe: "whether receivers are there and let us in (libre sink test --json)"
    case .sinkTypes: "what can be set up as a sink (libre sink list --supported --json)"
    case .error: "why there is no reading"
    }
  }

  /// The schema itself.
  public var jsonSchema: String {
    switch self {
    case .reading: ReadingSchema.text
    case .dump: DumpSchema.text
    case .readers: ReadersSchema.text
    case .doctor: DoctorSchema.text
    case .import: ImportSchema.text
    case .sample: SampleSchema.text
    case .history: HistorySchema.text
    case .latest: LatestSchema.text
    case .sensors: SensorsSchema.text
    case .stats: StatsSchema.text
    case .comparison: ComparisonSchema.text
    case .status: StatusSchema.text
    case .sinks: SinksSchema.text
    case .sync: SyncSchema.text
    case .batch: BatchSchema.text
    case .outbox: OutboxSchema.text
    case .probe: ProbeSchema.text
    case .sinkTypes: SinkTypesSchema.text
    case .error: ErrorSchema.text
    }
  }
}

extension Registry {
  public static let outputFormats: [OutputFormat] = OutputFormat.allCases
  public static let documents: [SchemaDocument] = SchemaDocument.allCases
}
