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
    /// Allowed values; empty for any text.
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
  /// Fields of all its outputs.
  package let fields: [SinkField]
  package let make: @Sendable (SinkOptions) throws(SinkOptionError) -> any SampleSink

  package init(
    name: String, summary: String, parameters: [Parameter], secret: SecretUse, parts: Set<SampleBatch.Part>,
    removal: Removal, fields: [SinkField],
    make: @escaping @Sendable (SinkOptions) throws(SinkOptionError) -> any SampleSink
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.secret = secret
    self.parts = parts
    self.removal = removal
    self.fields = fields
    self.make = make
  }
}

/// Settings of one sink: every parameter of its type, with defaults applied.
package struct SinkOptions: Sendable {
  /// Name that the user chose for the sink.
  package let name: String
  package let values: [String: String]
  package let secret: Secret?
  /// True if plain HTTP to another host is allowed.
  package let allowsHTTP: Bool

  package init(name: String, values: [String: String], secret: Secret?, allowsHTTP: Bool) {
    self.name = name
    self.values = values
    self.secret = secret
    self.allowsHTTP = allowsHTTP
  }
}

/// An invalid option.
package enum SinkOptionError: Error, Hashable, Sendable {
  case missing(key: String)
  case bad(key: String, value: String, allowed: String)
  /// Secrets and glucose would be readable by everyone on the network.
  case plainHTTP(url: String)
  case secretMissing
}
