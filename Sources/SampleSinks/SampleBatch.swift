// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// What a sink is to send, oldest first: samples of one wear of one sensor, or values that no sensor of ours measured.
public struct SampleBatch: Sendable {
  /// Parts of what is known that a sink may be told; by default the history alone.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case history = "glucose.history"
    /// The values of each minute, and what is made of them: the value of now, and which way glucose goes.
    case trend = "glucose.trend"
    case sensor
    case raw
    case statistics
    /// Measurements of blood.
    case fingerSticks = "finger_sticks"
    /// Values that other programs wrote.
    case imported
  }

  /// Vital's words: what was there before the sink was, and what came later.
  public enum Stage: String, Hashable, Sendable {
    case historical
    case daily
  }

  /// The sensor as it is now.
  public struct SensorFacts: Hashable, Sendable {
    public let identity: SensorIdentity
    public let wear: Int
    /// As of the last scan.
    public let state: SensorState?
    public let activatedAt: Instant?
    public let expiresAt: Instant?
    public let lastReadAt: Instant?

    public init(
      identity: SensorIdentity, wear: Int, state: SensorState?, activatedAt: Instant?, expiresAt: Instant?,
      lastReadAt: Instant?
    ) {
      self.identity = identity
      self.wear = wear
      self.state = state
      self.activatedAt = activatedAt
      self.expiresAt = expiresAt
      self.lastReadAt = lastReadAt
    }
  }

  /// A UUID that stays the same when the batch is sent again.
  public let key: String
  public let stage: Stage
  public let parts: Set<Part>
  /// nil for imported values and finger-sticks, which no sensor of ours measured.
  public let sensor: SensorFacts?
  /// Dated, with ids, and of quality `ok`: a flagged value is never sent as a value.
  public let entries: [HistoryEntry]
  /// Entries that the receiver holds already, in another state: they replace those there.
  public let held: Set<SampleID>
  /// What may be sent of them: of the rings that the sink is to be told of, and nothing flagged or undated, whoever put
  /// it in.
  let sent: [SentSample]
  /// The value of now, if the newest sample of this sensor belongs to this batch.
  public let current: CurrentGlucose?
  /// True if no newer sample of any sensor is there: what a receiver keeps as the state of now may be made of it.
  public let holdsNewest: Bool
  /// True if no other batch of this stage is waiting for this sink.
  public let isLastOfStage: Bool

  /// `holdsNewest` is taken from `current` where it is not given. `rates` says of the entries of these ids how fast glucose
  /// moved when they were measured, mg/dL per minute; of the value of now `current` says it.
  public init(
    key: String, stage: Stage, parts: Set<Part>, sensor: SensorFacts?, entries: [HistoryEntry],
    current: CurrentGlucose?, rates: [SampleID: Double] = [:], held: Set<SampleID> = [], holdsNewest: Bool? = nil,
    isLastOfStage: Bool = true
  ) {
    self.key = key
    self.stage = stage
    self.parts = parts
    self.sensor = sensor
    self.entries = entries
    self.held = held
    sent = entries.compactMap { entry in
      guard Self.isAskedFor(entry, parts), let sample = try? SentSample(entry) else { return nil }
      guard parts.contains(.trend) else { return sample }
      return sample.with(ratePerMinute: Self.rate(of: entry, current) ?? rates[sample.id])
    }
    self.current = current
    self.holdsNewest = holdsNewest ?? (current != nil)
    self.isLastOfStage = isLastOfStage
  }

  private static func isAskedFor(_ entry: HistoryEntry, _ parts: Set<Part>) -> Bool {
    switch entry {
    case .sensor(let stored): stored.sample.ring == .history || parts.contains(.trend)
    case .imported: parts.contains(.imported)
    case .fingerStick: parts.contains(.fingerSticks)
    }
  }

  /// mg/dL per minute, if the entry is of the minute that is the current one.
  private static func rate(of entry: HistoryEntry, _ current: CurrentGlucose?) -> Double? {
    guard case .sensor(let stored) = entry, current?.minute == stored.sample.minute else { return nil }
    return current?.ratePerMinute
  }
}
