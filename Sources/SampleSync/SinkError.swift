// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import LibreKit
package import SampleSinks

/// Reason why a sink cannot be used: the configuration, a secret, or an invalid request.
package enum SinkError: ExplainedError {
  /// No configured sink has this name.
  case noSuchSink(String, known: [String])
  case badName(String)
  /// `sink add` of a name that exists.
  case exists(String, path: String)
  /// An unknown key in its section.
  case unknownKey(sink: String, key: String, known: [String])
  case option(sink: String, SinkOptionError)
  /// An empty choice, which never means "all".
  case noneChosen
  /// No sink is configured.
  case noSinks
  case notEnrolled(String)
  case secretUnreadable(path: String, reason: String)
  case secretTooOpen(path: String, mode: String)
  case secretCommandFailed(status: Int)
  case secretEmpty(origin: String)
  /// A missing secret, for a command without a sink.
  case secretMissing(variable: String)
  /// `sink remove` of a sink with parked samples.
  case hasParked(String, count: Int)
  /// `sink remove` of a sink whose retained topics at the receiver cannot be emptied now.
  case farewellFailed(String, topics: Int, reason: String)
  /// Another process is sending from this store.
  case beingSent(path: String)
  case libraryMissing(name: String, package: String)
  case signature(WebhookSignature.Failure)
}

extension LibreError {
  /// Returns the reason why a sink cannot be used, as an error of libre.
  package static func sink(_ error: SinkError) -> LibreError { .other(OtherError(error)) }

  /// The sink error; nil for other errors.
  package var sinkError: SinkError? {
    guard case .other(let other) = self else { return nil }
    return other.error as? SinkError
  }
}

extension SinkError {
  /// Exit status (LibreDocuments/Contract, "Exit status").
  package var exitStatus: Int32 {
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

  package var explanation: ErrorExplanation {
    switch self {
    case .noSuchSink(let name, let known):
      ErrorExplanation(
        "no_such_sink",
        "sink \(name) does not exist\(known.isEmpty ? "" : "; configured sinks: \(known.joined(separator: ", "))")",
        "libre sink list")
    case .badName(let name):
      ErrorExplanation(
        "bad_sink_name", "invalid sink name \(name)",
        "use at most 64 lower-case letters, digits and -, beginning with a letter or a digit")
    case .exists(let name, let path):
      ErrorExplanation(
        "sink_exists", "\(path) already has a sink \(name)", "choose another name, or libre sink remove \(name)")
    case .unknownKey(let sink, let key, let known):
      ErrorExplanation(
        "sink_unknown_key", "sink \(sink): unknown key \(key)", "use one of \(known.joined(separator: ", "))")
    case .option(let sink, let error): error.explanation(of: sink)
    case .noneChosen:
      ErrorExplanation("no_sink_chosen", "no sink is chosen", "name a sink, or leave out --sink for all sinks")
    case .noSinks:
      ErrorExplanation("no_sinks", "no sink is configured", "libre sink add --help")
    case .notEnrolled(let name):
      ErrorExplanation(
        "sink_not_enrolled", "the sink \(name) has no outbox in this store yet", "libre sync --sink \(name)")
    case .secretUnreadable(let path, let reason):
      ErrorExplanation(
        "secret_unreadable", "the secret \(path) cannot be read: \(reason)", "check the path and its permissions")
    case .secretTooOpen(let path, let mode):
      ErrorExplanation(
        "secret_too_open", "the secret \(path) can be read by others (mode \(mode)), so it is not used",
        "chmod 600 \(path)")
    case .secretCommandFailed(let status):
      ErrorExplanation(
        "secret_command_failed", "the command for the secret (secret_command) failed with status \(status)",
        "run it by hand: its first line of output must be the secret")
    case .secretEmpty(let origin):
      ErrorExplanation(
        "secret_empty", "\(origin) has no secret: its first line is empty", "write the secret into the first line")
    case .secretMissing(let variable):
      ErrorExplanation(
        "secret_missing", "the secret is missing",
        "name a file or a command with the secret, or set the variable \(variable)")
    case .hasParked(let name, let count):
      ErrorExplanation(
        "sink_has_parked", "\(name) refused \(count) samples, which are parked",
        "libre outbox list --sink \(name) shows them; --purge removes the sink with them")
    case .farewellFailed(let name, let count, let reason):
      ErrorExplanation(
        "retained_topics_stay", "\(name) keeps \(count) topics of libre, which cannot be emptied: \(reason)",
        "libre sink remove \(name) --keep-remote removes the sink and leaves the topics there")
    case .beingSent(let path):
      ErrorExplanation(
        "being_sent", "another libre is sending from the store \(path)", "nothing: it also sends new samples")
    case .libraryMissing(let name, let package):
      ErrorExplanation("library_missing", "\(name) is not installed", "sudo apt install \(package)")
    case .signature(.malformed):
      ErrorExplanation(
        "signature_malformed", "invalid signature: expected t=SECONDS,v1=64 HEX DIGITS",
        "pass the whole value of the header \(WebhookSignature.headerName)")
    case .signature(.outOfTime(let seconds, let tolerance)):
      ErrorExplanation(
        "signature_out_of_time",
        "the signature is \(seconds.magnitude) s \(seconds < 0 ? "in the future" : "old"), more than the allowed \(tolerance) s",
        "check the clocks; --tolerance allows more for a saved request")
    case .signature(.mismatch):
      ErrorExplanation(
        "signature_wrong", "the signature does not match: another secret, or another body",
        "check the secret, and that the body is unchanged byte for byte")
    }
  }
}

extension SinkOptionError {
  fileprivate func explanation(of sink: String) -> ErrorExplanation {
    switch self {
    case .missing(let key):
      ErrorExplanation(
        "sink_option_missing", "sink \(sink): \(key) is not set", "libre sink list --supported explains it")
    case .bad(let key, let value, let allowed):
      ErrorExplanation("sink_option_bad", "sink \(sink): invalid value for \(key): \(value)", "use \(allowed)")
    case .plainHTTP(let url):
      ErrorExplanation(
        "sink_plain_http", "sink \(sink): \(url) would send glucose and secrets unencrypted",
        "use https:// or mqtts://; or set allow_http = true if the network is private")
    case .secretMissing:
      ErrorExplanation(
        "sink_secret_missing", "sink \(sink): the secret is missing",
        "set secret_file (mode 600), secret_command, or the variable \(SinkSetup.secretVariable(sink))")
    }
  }
}
