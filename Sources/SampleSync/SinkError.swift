// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import LibreKit
public import SampleSinks

/// Why a sink cannot be used as it is set up. The culprit is the configuration, a secret, or what was asked.
public enum SinkError: ExplainedError {
  /// No sink of this name is set up.
  case noSuchSink(String, known: [String])
  case badName(String)
  /// `sink add` of a name that is set up already.
  case exists(String, path: String)
  /// A key of its section that nothing reads.
  case unknownKey(sink: String, key: String, known: [String])
  case option(sink: String, SinkOptionError)
  /// An empty choice, which is never taken for "all".
  case noneChosen
  /// None is set up at all.
  case noSinks
  case notEnrolled(String)
  case secretUnreadable(path: String, reason: String)
  case secretTooOpen(path: String, mode: String)
  case secretCommandFailed(status: Int)
  case secretEmpty(origin: String)
  /// None was given, for what is no sink.
  case secretMissing(variable: String)
  /// `sink remove` of one that has not taken everything.
  case hasParked(String, count: Int)
  /// `sink remove` of one whose receiver keeps topics of ours that cannot be emptied now.
  case farewellFailed(String, topics: Int, reason: String)
  /// Another process sends from this store.
  case beingSent(path: String)
  case libraryMissing(name: String, package: String)
  case signature(WebhookSignature.Failure)
}

extension LibreError {
  /// Why a sink cannot be used, as an error of libre.
  public static func sink(_ error: SinkError) -> LibreError { .other(OtherError(error)) }

  /// nil if it is not about a sink.
  public var sinkError: SinkError? {
    guard case .other(let other) = self else { return nil }
    return other.error as? SinkError
  }
}

extension SinkError {
  /// LibreDocuments/Contract, "Exit status".
  public var exitStatus: Int32 {
    switch self {
    case .noSuchSink, .noneChosen, .exists, .hasParked: 64
    case .badName, .unknownKey, .option, .noSinks, .notEnrolled: 78
    case .secretUnreadable, .secretTooOpen, .secretCommandFailed, .secretEmpty, .secretMissing: 77
    case .beingSent, .farewellFailed: 75
    case .libraryMissing: 69
    case .signature(.malformed): 65
    case .signature(.outOfTime), .signature(.mismatch): 77
    }
  }

  public var explanation: ErrorExplanation {
    switch self {
    case .noSuchSink(let name, let known):
      ErrorExplanation(
        "no_such_sink",
        "no sink \(name) is set up\(known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))")",
        "libre sink list")
    case .badName(let name):
      ErrorExplanation(
        "bad_sink_name", "\(name) cannot be the name of a sink",
        "take small letters, digits and -, a letter or a digit first, at most 64")
    case .exists(let name, let path):
      ErrorExplanation(
        "sink_exists", "\(path) has a sink \(name) already", "take another name, or libre sink remove \(name)")
    case .unknownKey(let sink, let key, let known):
      ErrorExplanation(
        "sink_unknown_key", "sink \(sink): nothing reads \(key)", "the keys are \(known.joined(separator: ", "))")
    case .option(let sink, let error): error.explanation(of: sink)
    case .noneChosen:
      ErrorExplanation("no_sink_chosen", "no sink is chosen", "name one, or leave --sink away for all of them")
    case .noSinks:
      ErrorExplanation("no_sinks", "no sink is set up: there is nobody to send to", "libre sink add --help")
    case .notEnrolled(let name):
      ErrorExplanation(
        "sink_not_enrolled", "the sink \(name) has no outbox in this store yet", "libre sync --sink \(name)")
    case .secretUnreadable(let path, let reason):
      ErrorExplanation("secret_unreadable", "the secret \(path) cannot be read: \(reason)", "check secret_file")
    case .secretTooOpen(let path, let mode):
      ErrorExplanation(
        "secret_too_open", "the secret \(path) can be read by others (mode \(mode)), so it is not used",
        "chmod 600 \(path)")
    case .secretCommandFailed(let status):
      ErrorExplanation(
        "secret_command_failed", "the command that gives the secret (secret_command) ended with \(status)",
        "run it by hand; what it writes first is the secret")
    case .secretEmpty(let origin):
      ErrorExplanation("secret_empty", "\(origin) gives no secret: its first line is empty", "write the secret there")
    case .secretMissing(let variable):
      ErrorExplanation(
        "secret_missing", "there is no secret", "name a file or a command that has it, or set the variable \(variable)")
    case .hasParked(let name, let count):
      ErrorExplanation(
        "sink_has_parked", "\(name) would not take \(count) samples, which are parked",
        "libre outbox list --sink \(name) shows them; --purge removes the sink all the same")
    case .farewellFailed(let name, let count, let reason):
      ErrorExplanation(
        "retained_topics_stay", "\(name) keeps \(count) topics of ours, which cannot be emptied: \(reason)",
        "libre sink remove \(name) --keep-remote removes the sink and leaves them there")
    case .beingSent(let path):
      ErrorExplanation(
        "being_sent", "another libre is sending from the store \(path)", "nothing: it takes along what is new")
    case .libraryMissing(let name, let package):
      ErrorExplanation("library_missing", "\(name) is not on this machine", "sudo apt install \(package)")
    case .signature(.malformed):
      ErrorExplanation(
        "signature_malformed", "the signature is not of the form t=SECONDS,v1=64 HEX DIGITS",
        "give the whole value of the header \(WebhookSignature.headerName)")
    case .signature(.outOfTime(let seconds, let tolerance)):
      ErrorExplanation(
        "signature_out_of_time",
        "the signature is \(seconds.magnitude) s \(seconds < 0 ? "in the future" : "old"), and \(tolerance) s are allowed",
        "check the clocks; --tolerance allows more for what was saved")
    case .signature(.mismatch):
      ErrorExplanation(
        "signature_wrong", "the signature was made with another secret, or for another body",
        "check the secret, and that the body is byte for byte what came")
    }
  }
}

extension SinkOptionError {
  fileprivate func explanation(of sink: String) -> ErrorExplanation {
    switch self {
    case .missing(let key):
      ErrorExplanation(
        "sink_option_missing", "sink \(sink): \(key) is not set", "libre sink list --supported tells what it is")
    case .bad(let key, let value, let allowed):
      ErrorExplanation("sink_option_bad", "sink \(sink): \(key) cannot be \(value)", "it takes \(allowed)")
    case .plainHTTP(let url):
      ErrorExplanation(
        "sink_plain_http", "sink \(sink): \(url) would carry glucose and secrets for everyone to read",
        "take https:// or mqtts://; allow_http = true if the network is yours alone")
    case .secretMissing:
      ErrorExplanation(
        "sink_secret_missing", "sink \(sink): it needs a secret, and there is none",
        "set secret_file (mode 600), secret_command, or the variable \(SinkSetup.secretVariable(sink))")
    }
  }
}
