// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A type of receiver, with its configuration.
public struct SinkType: Sendable {
  /// A setting in `[sinks.NAME]` of the configuration file.
  public struct Parameter: Hashable, Sendable {
    public let key: String
    public let summary: String
    /// Default; nil if the setting is required.
    public let defaultValue: String?
    /// Allowed values; empty for any text.
    public let choices: [String]
    /// True for a file's path, which is absolute when a sink is made: commands run in many directories.
    public let isPath: Bool
    /// True if another value means another receiver.
    public let isReceiver: Bool
    /// True for a name of the person: defaults to the setting `reference_id`.
    public let isPerson: Bool
    /// True for the unit in which glucose is shown: defaults to the setting `unit`.
    public let isUnit: Bool

    public init(
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
  public enum SecretUse: String, Hashable, Sendable {
    case required
    case optional
    case none
  }

  /// The way in which a receiver takes back values that were removed here, or no longer count.
  public enum Removal: Sendable {
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
  public let name: String
  public let summary: String
  public let parameters: [Parameter]
  public let secret: SecretUse
  /// Parts that it can send besides the history.
  public let parts: Set<SampleBatch.Part>
  public let removal: Removal
  /// Fields of all its outputs.
  public let fields: [SinkField]
  public let make: @Sendable (SinkOptions) throws(SinkOptionError) -> any SampleSink

  public init(
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
public struct SinkOptions: Sendable {
  /// Name that the user chose for the sink.
  public let name: String
  public let values: [String: String]
  public let secret: Secret?
  /// True if plain HTTP to another host is allowed.
  public let allowsHTTP: Bool

  public init(name: String, values: [String: String], secret: Secret?, allowsHTTP: Bool) {
    self.name = name
    self.values = values
    self.secret = secret
    self.allowsHTTP = allowsHTTP
  }
}

/// An invalid option.
public enum SinkOptionError: Error, Hashable, Sendable {
  case missing(key: String)
  case bad(key: String, value: String, allowed: String)
  /// Secrets and glucose would be readable by everyone on the network.
  case plainHTTP(url: String)
  case secretMissing
}
