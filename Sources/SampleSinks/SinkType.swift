// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A kind of receiver that the build knows, and what has to be said about one of that kind.
public struct SinkType: Sendable {
  /// One thing to set, as it stands under `[sinks.NAME]` in the configuration file.
  public struct Parameter: Hashable, Sendable {
    public let key: String
    public let summary: String
    /// nil if it has to be given.
    public let defaultValue: String?
    /// The values that it takes; empty for any text.
    public let choices: [String]
    /// True for a file's path, which has to begin at the root: commands run in many folders.
    public let isPath: Bool
    /// True for what says where, and whose: with another value it is another receiver.
    public let isReceiver: Bool
    /// True for a name of the person: the setting `reference_id` where nothing else is said.
    public let isPerson: Bool

    public init(
      _ key: String, _ summary: String, default defaultValue: String? = nil, choices: [String] = [],
      isPath: Bool = false, isReceiver: Bool = false, isPerson: Bool = false
    ) {
      self.isPerson = isPerson
      self.isPath = isPath
      self.isReceiver = isReceiver
      self.key = key
      self.summary = summary
      self.defaultValue = defaultValue
      self.choices = choices
    }
  }

  /// Whether `secret_file`, `secret_command` or the environment has to give one.
  public enum SecretUse: String, Hashable, Sendable {
    case required
    case optional
    case none
  }

  /// Whether a receiver can take back what was removed here.
  public enum Removal: Sendable {
    /// It knows a record by this key, nil for none. A record whose key changes is another: the old one is taken back.
    case byKey(@Sendable (HistoryEntry) -> String?)
    /// It cannot; why, and what helps, in words.
    case impossible(String)
  }

  /// As in `type = "nightscout"`.
  public let name: String
  public let summary: String
  public let parameters: [Parameter]
  public let secret: SecretUse
  /// What it can send besides the history.
  public let parts: Set<SampleBatch.Part>
  public let removal: Removal
  /// What stands where in what is sent, in all its forms.
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

/// What is set for one sink: every parameter that its type has, with the defaults filled in.
public struct SinkOptions: Sendable {
  /// The user's name for the sink.
  public let name: String
  public let values: [String: String]
  public let secret: Secret?
  /// Plain HTTP to another host than this one is wanted.
  public let allowsHTTP: Bool

  public init(name: String, values: [String: String], secret: Secret?, allowsHTTP: Bool) {
    self.name = name
    self.values = values
    self.secret = secret
    self.allowsHTTP = allowsHTTP
  }
}

/// An option that a sink cannot work with.
public enum SinkOptionError: Error, Hashable, Sendable {
  case missing(key: String)
  case bad(key: String, value: String, allowed: String)
  /// Secrets and glucose would go over the network for everyone to read.
  case plainHTTP(url: String)
  case secretMissing
}
