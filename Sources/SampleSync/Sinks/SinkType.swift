// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

package struct SinkType: Sendable {
  /// A setting in `[sinks.NAME]` of the configuration file.
  package struct Parameter: Hashable, Sendable {
    package let key: String
    package let summary: String
    /// nil if the setting is required.
    package let defaultValue: String?
    package let choices: [String]
    /// True for a file's path, which is absolute when a sink is made: commands run in many directories.
    package let isPath: Bool
    /// True if another value means another receiver.
    package let isReceiver: Bool
    /// True for a name of the person: defaults to the setting `reference_id`.
    package let isPerson: Bool
    /// True for the unit in which glucose is shown: defaults to the setting `unit`.
    package let isUnit: Bool

    package init(
      _ key: String, _ summary: String, default defaultValue: String? = nil, choices: [String] = [],
      isPath: Bool = false, isReceiver: Bool = false, isPerson: Bool = false, isUnit: Bool = false
    ) {
      (self.key, self.summary, self.defaultValue, self.choices) = (key, summary, defaultValue, choices)
      (self.isPath, self.isReceiver, self.isPerson, self.isUnit) = (isPath, isReceiver, isPerson, isUnit)
    }
  }

  package enum SecretUse: String, Hashable, Sendable {
    case required, optional, none
  }

  /// The way in which a receiver takes back values that were removed here, or no longer count.
  package enum Removal: Sendable {
    /// It deletes records by this key; nil if it has none. A changed key means another record: the old one is deleted.
    case byKey(@Sendable (HistoryEntry) -> String?)
    /// It keeps no past values but a current state, which the newest value that is left replaces. Without one the sink's
    /// `withdrawal` empties the state.
    case replacingState
    /// Deletion is impossible; with the reason and the alternative.
    case impossible(String)
  }

  package let name: String
  package let summary: String
  package let parameters: [Parameter]
  package let secret: SecretUse
  /// Parts that it can send besides the history.
  package let parts: Set<SampleBatch.Part>
  package let removal: Removal
  /// False for a receiver of alerts alone: no sample is queued for it.
  package var takesSamples = true
  package let fields: [SinkField]
  package let make: @Sendable (SinkOptions) throws(SinkOptionError) -> any SampleSink

  package static let all = [
    NightscoutSink.type, NightscoutV3Sink.type, MQTTSink.type, InfluxSink.type, WebhookSink.type, VitalSink.type,
    TidepoolSink.type, FHIRSink.type, FileSink.type, PushSink.ntfy, PushSink.gotify,
  ]

  package var sendableParts: [SampleBatch.Part] {
    takesSamples ? parts.union([.history]).sorted { $0.rawValue < $1.rawValue } : []
  }
}

/// Settings of one sink: every parameter of its type, with defaults applied.
package struct SinkOptions: Sendable {
  package let name: String
  package let values: [String: String]
  package let secret: Secret?
  package let allowsHTTP: Bool

  package init(name: String, values: [String: String], secret: Secret?, allowsHTTP: Bool) {
    (self.name, self.values, self.secret, self.allowsHTTP) = (name, values, secret, allowsHTTP)
  }
}

package enum SinkOptionError: Error, Hashable, Sendable {
  case missing(key: String)
  case bad(key: String, value: String, allowed: String)
  /// Secrets and glucose would be readable by everyone on the network.
  case plainHTTP(url: String)
  case secretMissing
}

extension SinkOptions {
  /// nil for an option that is not set or empty.
  func optional(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// - Throws: `missing`.
  func required(_ key: String) throws(SinkOptionError) -> String {
    guard let value = optional(key) else { throw .missing(key: key) }
    return value
  }

  var secrets: [Secret] { secret.map { [$0] } ?? [] }

  /// - Throws: `secretMissing`.
  func requiredSecret() throws(SinkOptionError) -> Secret {
    guard let secret, !secret.revealed().isEmpty else { throw .secretMissing }
    return secret
  }

  /// - Throws: `missing`, and `bad` for a value that is not a choice.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type)
    throws(SinkOptionError) -> Choice where Choice.RawValue == String
  {
    let value = try required(key)
    guard let choice = Choice(rawValue: value) else {
      throw .bad(key: key, value: value, allowed: Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// - Throws: `missing`, and `bad` for anything but a decimal number in the range.
  func number(_ key: String, in range: ClosedRange<Int>) throws(SinkOptionError) -> Int {
    let value = try required(key)
    guard let number = Int(value), range.contains(number), value.utf8.first != UInt8(ascii: "+") else {
      throw .bad(key: key, value: value, allowed: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// A field in a sink's output, and our value in it, declared next to the code that writes it. A test compares the list
/// with real output: it fails for a member missing in the list, or with another value than declared.
package struct SinkField: Hashable, Sendable {
  /// Our name of the value, as in `libre.sample/1`; nil if the field does not depend on a value.
  package let ours: String?
  /// Path of the field in `jq` syntax without the first dot: `[].sgv` in a list of records; with a prefix if it is not
  /// in the body of the delivery: a topic, or an earlier request. A trailing `*` includes everything below.
  package let theirs: String
  /// Format of the value, or the constant that is sent.
  package let note: String?
  /// Parts with which the field is sent; empty for always.
  package let parts: [SampleBatch.Part]

  init(_ ours: String?, _ theirs: String, _ note: String? = nil, with parts: SampleBatch.Part...) {
    self.init(ours, theirs, note, parts)
  }

  init(_ ours: String?, _ theirs: String, _ note: String?, _ parts: [SampleBatch.Part]) {
    (self.ours, self.theirs, self.note, self.parts) = (ours, theirs, note, parts)
  }

  static func always(_ theirs: String, _ note: String) -> SinkField { SinkField(nil, theirs, note) }

  static func own(_ names: [String], in place: String, with parts: SampleBatch.Part...) -> [SinkField] {
    names.map { SinkField($0, place + $0, nil, parts) }
  }

  func within(_ place: String) -> SinkField { SinkField(ours, place + theirs, note, parts) }
  func with(_ parts: [SampleBatch.Part]) -> SinkField { SinkField(ours, theirs, note, parts) }
}
