// SPDX-License-Identifier: Apache-2.0

/// The result of one scan, or of one decoded dump: the sensor, its samples, and all that has to be said about them.
public struct SensorReading: Hashable, Sendable {
  /// The same memory read at the same moment has the same id, on every machine.
  public let id: SampleID
  /// When the memory was read; nil if nobody knows.
  public let readAt: Instant?
  public let readAtSource: ReadTimeSource
  public let source: ReadingSource
  /// The reader used; nil for a dump.
  public let reader: ReaderDescription?
  public let sensor: SensorDescription
  public let integrity: MemoryIntegrity
  /// What turned counts into concentrations; nil if that was impossible.
  public let calibration: CalibrationDescription?
  /// Newest first: at most 32 samples, 1344 of a Libre Pro.
  public let history: [GlucoseSample]
  /// At most 16 samples, newest first.
  public let trend: [GlucoseSample]
  /// The value to show as "now"; nil where there is none that may be shown so.
  public let current: CurrentGlucose?
  /// What the reader of this reading should know, most serious first.
  public let problems: [ReadingProblem]
  /// True if samples were taken from a body whose checksum does not hold, because the user asked for it.
  public let isSalvaged: Bool
  /// What all this was read from. It is carried along so that a later version, or another program, can decode it anew;
  /// nothing after this point reads it.
  public let memory: MemoryImage

  public init(
    id: SampleID, readAt: Instant?, readAtSource: ReadTimeSource, source: ReadingSource, reader: ReaderDescription?,
    sensor: SensorDescription, integrity: MemoryIntegrity, calibration: CalibrationDescription?,
    history: [GlucoseSample], trend: [GlucoseSample], current: CurrentGlucose?, problems: [ReadingProblem],
    isSalvaged: Bool, memory: MemoryImage
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
  }

  /// History and trend together, newest first; of one minute the trend sample comes first.
  public var samples: [GlucoseSample] {
    (trend + history).sorted { ($0.minute, $0.ring == .trend ? 1 : 0) > ($1.minute, $1.ring == .trend ? 1 : 0) }
  }
}

/// Where a reading's bytes came from.
public struct ReadingSource: Hashable, Sendable {
  /// Program and version: `libre 0.1.0`.
  public let tool: String
  /// The dump file, `-` for standard input; nil for a sensor.
  public let path: String?
  /// The dump format's name; nil for a sensor.
  public let format: String?
  /// Which of the memories in the dump file, from 1; nil for a sensor.
  public let dump: Int?
  /// SHA-256 of the file, lower-case hex; of the memory for a sensor.
  public let sha256: String

  public init(tool: String, path: String?, format: String?, dump: Int?, sha256: String) {
    self.tool = tool
    self.path = path
    self.format = format
    self.dump = dump
    self.sha256 = sha256
  }
}

/// The reader a sensor was read with.
public struct ReaderDescription: Hashable, Sendable {
  /// As given to `--reader`.
  public let address: String
  /// As the driver calls it.
  public let name: String
  /// How ISO 15693 frames are carried to it.
  public let dialect: String

  public init(address: String, name: String, dialect: String) {
    self.address = address
    self.name = name
    self.dialect = dialect
  }
}

/// How the moment of the scan is known.
public enum ReadTimeSource: String, Hashable, Sendable, CaseIterable {
  /// This computer's clock, while it read the sensor.
  case clock
  /// The user said so (`--read-at`).
  case option
  /// The dump file holds it.
  case file
  /// The dump file's modification time, because the user asked for it.
  case modificationTime = "modification_time"
  /// Not known: no sample has a time.
  case unknown
}
