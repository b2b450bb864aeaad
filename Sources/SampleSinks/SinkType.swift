// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A type of receiver, with its configuration.
package struct SinkType: Sendable {
  /// A setting in `[sinks.NAME]` of the configuration file.
  package struct Parameter: Hashable, Sendable {
    package let key: String
    package let summary: String
    /// Default; nil if the setting is required.
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
      self.isUnit = isUnit
      self.isPerson = isPerson
      self.isPath = isPath
      self.isReceiver = isReceiver
      self.key = key
      self.summary = summary
      self.defaultValue = defaultValue
      self.choices = choices
    }
  }

  /// Need for a secret from `secret_file`, `secret_command` or the environment.
  package enum SecretUse: String, Hashable, Sendable {
    case required
    case optional
    case none
  }

  /// The way in which a receiver takes back values that were removed here, or no longer count.
  package enum Removal: Sendable {
    /// It deletes records. It identifies a record by this key; nil if it has none. A changed key means another record:
    /// the old one is deleted.
    case byKey(@Sendable (HistoryEntry) -> String?)
    /// It keeps no past values but a current state, which the newest value that is left replaces. Without one the sink's
    /// `withdrawal` empties the state.
    case replacingState
    /// Deletion is impossible; with the reason and the alternative.
    case impossible(String)
  }

  /// Name, used in `type = "nightscout"`.
  package let name: String
  package let summary: String
  package let parameters: [Parameter]
  package let secret: SecretUse
  /// Parts that it can send besides the history.
  package let parts: Set<SampleBatch.Part>
  package let removal: Removal
  package let fields: [SinkField]
  package let make: @Sendable (SinkOptions) throws(SinkOptionError) -> any SampleSink
}

/// Settings of one sink: every parameter of its type, with defaults applied.
package struct SinkOptions: Sendable {
  package let name: String
  package let values: [String: String]
  package let secret: Secret?
  package let allowsHTTP: Bool

  package init(name: String, values: [String: String], secret: Secret?, allowsHTTP: Bool) {
    self.name = name
    self.values = values
    self.secret = secret
    self.allowsHTTP = allowsHTTP
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
  /// Returns an option; nil if it is not set or empty.
  func optional(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns an option.
  ///
  /// - Throws: `missing`.
  func required(_ key: String) throws(SinkOptionError) -> String {
    guard let value = optional(key) else { throw .missing(key: key) }
    return value
  }

  /// Returns the secret.
  ///
  /// - Throws: `secretMissing`.
  func requiredSecret() throws(SinkOptionError) -> Secret {
    guard let secret, !secret.revealed().isEmpty else { throw .secretMissing }
    return secret
  }

  /// Returns one of the choices.
  ///
  /// - Throws: `missing`, and `bad` for any other value.
  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type)
    throws(SinkOptionError) -> Choice where Choice.RawValue == String
  {
    let value = try required(key)
    guard let choice = Choice(rawValue: value) else {
      throw .bad(key: key, value: value, allowed: Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// Returns a decimal number.
  ///
  /// - Throws: `missing`, and `bad` for anything else.
  func number(_ key: String, in range: ClosedRange<Int>) throws(SinkOptionError) -> Int {
    let value = try required(key)
    guard let number = Int(value), range.contains(number), value.utf8.first != UInt8(ascii: "+") else {
      throw .bad(key: key, value: value, allowed: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// A field in a sink's output, and our value in it.
///
/// Each sink declares its fields next to the code that writes its requests, and a test compares the list with real
/// output: it fails for a member missing in the list, or with another value than declared.
package struct SinkField: Hashable, Sendable {
  /// Our name of the value, as in `libre.sample/1`; nil if the field does not depend on a value.
  package let ours: String?
  /// Path of the field in `jq` syntax without the first dot: `[].sgv` in a list of records. A prefix names the
  /// container if it is not the body of the delivery: a topic, or the request before the first delivery. A trailing `*`
  /// includes everything below.
  package let theirs: String
  /// Format of the value, or the constant that is sent.
  package let note: String?
  /// Parts with which the field is sent; empty for always.
  package let parts: [SampleBatch.Part]

  init(_ ours: String?, _ theirs: String, _ note: String? = nil, with parts: SampleBatch.Part...) {
    self.init(ours, theirs, note, parts)
  }

  init(_ ours: String?, _ theirs: String, _ note: String?, _ parts: [SampleBatch.Part]) {
    self.ours = ours
    self.theirs = theirs
    self.note = note
    self.parts = parts
  }

  static func always(_ theirs: String, _ note: String) -> SinkField {
    SinkField(nil, theirs, note)
  }

  static func own(_ names: [String], in place: String, with parts: SampleBatch.Part...) -> [SinkField] {
    names.map { SinkField($0, place + $0, nil, parts) }
  }

  func within(_ place: String) -> SinkField { SinkField(ours, place + theirs, note, parts) }

  func with(_ parts: [SampleBatch.Part]) -> SinkField {
    SinkField(ours, theirs, note, parts)
  }
}
