// SPDX-License-Identifier: Apache-2.0

/// The result of one scan, or of one decoded dump: the sensor, its samples, and the problems found.
public struct SensorReading: Hashable, Sendable {
  /// The reading's identity: the same memory read at the same moment has the same id, on every machine.
  public let id: SampleID
  public let readAt: Instant?
  public let readAtSource: ReadTimeSource
  public let source: ReadingSource
  /// Nil for a dump.
  public let reader: ReaderDescription?
  public package(set) var sensor: SensorDescription
  /// The number of the sensor's wear in the store, from 1: only the store knows that a sensor was started again.
  package var wear = 1
  public let integrity: MemoryIntegrity
  /// The model that turned counts into concentrations; nil if that was impossible.
  public package(set) var calibration: CalibrationDescription?
  /// The samples of the history, newest first: at most 32, or 1344 of a Libre Pro.
  public package(set) var history: [GlucoseSample]
  /// The samples of the trend, newest first: at most 16.
  public package(set) var trend: [GlucoseSample]
  /// The value to show as "now"; nil if no value may be shown so.
  public package(set) var current: CurrentGlucose?
  /// The problems that a user should know, most serious first.
  public package(set) var problems: [ReadingProblem]
  /// True if the samples come from a body with a wrong checksum, because the user asked for them.
  public let isSalvaged: Bool
  /// The memory that the reading was decoded from. It is kept so that a later version, or another program, can decode
  /// it again; nothing after this point uses it.
  public let memory: MemoryImage
  /// The footer, if its checksum is correct and other scans of the sensor can use it in place of a damaged one.
  package let footer: [UInt8]?

  public init(
    id: SampleID, readAt: Instant?, readAtSource: ReadTimeSource, source: ReadingSource, reader: ReaderDescription?,
    sensor: SensorDescription, integrity: MemoryIntegrity, calibration: CalibrationDescription?,
    history: [GlucoseSample], trend: [GlucoseSample], current: CurrentGlucose?, problems: [ReadingProblem],
    isSalvaged: Bool, memory: MemoryImage, footer: [UInt8]? = nil
  ) {
    self.id = id
    self.readAt = readAt
    self.readAtSource = readAtSource
    self.source = source
    self.reader = reader
    self.sensor = sensor
    self.integrity = integrity
    self.calibration = calibration
    self.history = history
    self.trend = trend
    self.current = current
    self.problems = problems
    self.isSalvaged = isSalvaged
    self.memory = memory
    self.footer = footer
  }

  /// The identity of one of the reading's samples, the same after every scan; nil if the sensor's UID is unknown.
  public func id(of sample: GlucoseSample) -> SampleID? {
    sensor.uid.map { SampleID(of: $0, wear: wear, sample.ring, sample.minute) }
  }

  /// True if only the records of the scan are left. Such a reading is only shown: it cannot be decoded again, and the store
  /// could not tell its records from others.
  package var lacksMemory: Bool { memory.bytes.isEmpty }

  /// History and trend together, newest first; for the same minute the trend sample comes first.
  public var samples: [GlucoseSample] {
    (trend + history).sorted { ($0.minute, $0.ring == .trend ? 1 : 0) > ($1.minute, $1.ring == .trend ? 1 : 0) }
  }
}

extension SensorReading {
  /// Evidence of a reading for the start of its sensor.
  package enum Dating: Hashable {
    case none
    case provisional(StartDoubt)
    case firm
  }

  /// Reliability of the start derived from this scan. A sensor whose clock has or may have stopped gives none, nor does
  /// the age in a damaged body.
  package var dating: Dating {
    guard let readAt, !isSalvaged else { return .none }
    switch sensor.state {
    case .warmingUp, .active, .expired: break
    case .notActivated, .shutdown, .failure, .unknown: return .none
    }
    if readAtSource == .unknown { return .none }
    return readAtSource.doubt(at: readAt).map(Dating.provisional) ?? .firm
  }
}

extension ReadTimeSource {
  /// Returns the reason why a time from this source may be wrong; nil if nothing speaks against it.
  package func doubt(at readAt: Instant) -> StartDoubt? {
    switch self {
    case .clock: readAt < .firstVersion ? .clockNotSet : nil
    case .modificationTime: .modificationTime
    case .option, .file, .unknown: nil
    }
  }
}

/// The origin of a reading's bytes.
public struct ReadingSource: Hashable, Sendable {
  /// Program and version: `libre 0.1.0`.
  public let tool: String
  /// The dump file, `-` for standard input; nil for a sensor.
  public let path: String?
  /// The dump format's name; nil for a sensor.
  public let format: String?
  /// The number of the memory in the dump file, from 1; nil for a sensor.
  public var dump: Int?
  /// The number of the line that was decoded by itself, from 1; nil for a whole file, and for a sensor.
  public var line: Int?
  /// The place in a file of no known format where the memory was found; nil for any other file, and for a sensor.
  public var found: FoundPlace?
  /// The SHA-256 digest of the file, of the line without its end, or of the memory for a sensor, in lower-case hex.
  public let sha256: String

  public init(tool: String, path: String?, format: String?, dump: Int?, line: Int? = nil, sha256: String) {
    self.tool = tool
    self.path = path
    self.format = format
    self.dump = dump
    self.line = line
    self.sha256 = sha256
  }
}

/// The place in a file at which a search found a memory.
public struct FoundPlace: Hashable, Sendable {
  /// The part of a file that the numbers of a place count.
  public enum Unit: String, Hashable, Sendable {
    /// A line, from 1.
    case line
    /// A byte, from 0.
    case byte
    /// A row of the table of a database, by SQLite's number for it (rowid); one of a table that has no such numbers, from 1.
    case row
  }

  /// The form of the bytes in the file, from the inside out: `hex`, `base64 in zip`, `table "scans", row 3, column "fram"`.
  public let layer: String
  public let unit: Unit
  /// The first and the last line or byte with a part of the memory, or of the packed data that holds it; or the row, twice.
  public let range: ClosedRange<Int>

  package init(layer: String, unit: Unit, range: ClosedRange<Int>) {
    (self.layer, self.unit, self.range) = (layer, unit, range)
  }

  /// `hex in lines 812–855`, `base64 at byte 10,422`.
  public var text: String {
    let (first, last) = (range.lowerBound.grouped, range.upperBound.grouped)
    return switch unit {
    case .byte: "\(layer) at byte \(first)"
    case .line where first == last: "\(layer) in line \(first)"
    case .line: "\(layer) in lines \(first)–\(last)"
    case .row: layer
    }
  }
}

/// The reader that read a sensor.
public struct ReaderDescription: Hashable, Sendable {
  /// The address, as given to `--reader`.
  public let address: String
  /// The name that the driver reports.
  public let name: String
  /// The name of the way in which the reader is sent ISO 15693 frames.
  public let dialect: String
  /// The charge of a reader with a battery of its own, if it tells it.
  package let batteryPercent: Int?

  /// True if the battery may be empty before the next reading.
  package var isBatteryLow: Bool { batteryPercent.map { $0 <= Self.lowBatteryPercent } ?? false }
  package static let lowBatteryPercent = 20

  public init(address: String, name: String, dialect: String) {
    self.init(address: address, name: name, dialect: dialect, batteryPercent: nil)
  }

  package init(address: String, name: String, dialect: String, batteryPercent: Int?) {
    (self.address, self.name, self.dialect, self.batteryPercent) = (address, name, dialect, batteryPercent)
  }
}

/// The source of a reading's time.
public enum ReadTimeSource: String, Hashable, Sendable, CaseIterable {
  /// This computer's clock, while it read the sensor.
  case clock
  /// The user's option (`--read-at`).
  case option
  /// The dump file itself.
  case file
  /// The dump file's modification time, because the user asked for it.
  case modificationTime = "modification_time"
  /// Unknown: no sample has a time.
  case unknown
}
