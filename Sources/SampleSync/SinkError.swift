// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import LibreKit
import SensorHistory
package import TextFormats

package enum SinkError: ExplainedError {
  case noSuchSink(String, known: [String])
  case badName(String)
  case exists(String, path: String)
  case unknownKey(sink: String, key: String, known: [String])
  case option(sink: String, SinkOptionError)
  case badReferenceID(origin: String, value: String)
  /// An empty choice, which never means "all".
  case noneChosen
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
  case beingSent(path: String)
  case libraryMissing(name: String, package: String)
  case signature(WebhookSignature.Failure)
}

extension LibreError {
  /// Returns the reason why a sink cannot be used, as an error of libre.
  package static func sink(_ error: SinkError) -> LibreError { LibreError(error) }
  package var sinkError: SinkError? { cause as? SinkError }

  /// True if a secret is missing, or not safe.
  var isOfSecret: Bool {
    switch sinkError {
    case .secretUnreadable, .secretTooOpen, .secretCommandFailed, .secretEmpty, .secretMissing: true
    case .some, nil: false
    }
  }
}

extension SinkError {
  package static func installation(of package: String) -> String { "sudo apt install \(package)" }

  package var explanation: (code: String, message: String) {
    switch self {
    case .noSuchSink(let name, let known):
      (
        "no_such_sink",
        "sink \(name) does not exist\(known.isEmpty ? "" : "; configured sinks: \(known.joined(separator: ", "))")"
      )
    case .badName(let name): ("bad_sink_name", "invalid sink name \(name)")
    case .exists(let name, let path): ("sink_exists", "\(path) already has a sink \(name)")
    case .unknownKey(let sink, let key, _): ("sink_unknown_key", "sink \(sink): unknown key \(key)")
    case .option(let sink, let error): error.explanation(of: sink)
    case .badReferenceID(let origin, let value):
      ("configuration_bad_value", "\(origin): invalid value \(value) for \(ReferenceID.key)")
    case .noneChosen: ("no_sink_chosen", "no sink is chosen")
    case .noSinks: ("no_sinks", "no sink is configured")
    case .notEnrolled(let name): ("sink_not_enrolled", "the sink \(name) has no outbox in this store yet")
    case .secretUnreadable(let path, let reason): ("secret_unreadable", "the secret \(path) cannot be read: \(reason)")
    case .secretTooOpen(let path, let mode):
      ("secret_too_open", "the secret \(path) can be read by others (mode \(mode)), so it is not used")
    case .secretCommandFailed(let status):
      ("secret_command_failed", "the command for the secret (secret_command) failed with status \(status)")
    case .secretEmpty(let origin): ("secret_empty", "\(origin) has no secret: its first line is empty")
    case .secretMissing: ("secret_missing", "the secret is missing")
    case .hasParked(let name, let count): ("sink_has_parked", "\(name) refused \(count) samples, which are parked")
    case .farewellFailed(let name, let count, let reason):
      ("retained_topics_stay", "\(name) keeps \(count) topics of libre, which cannot be emptied: \(reason)")
    case .beingSent(let path): ("being_sent", "another libre is sending from the store \(path)")
    case .libraryMissing(let name, _): ("library_missing", "\(name) is not installed")
    case .signature(.malformed): ("signature_malformed", "invalid signature: expected t=SECONDS,v1=64 HEX DIGITS")
    case .signature(.outOfTime(let seconds, let tolerance)):
      (
        "signature_out_of_time",
        "the signature is \(seconds.magnitude) s \(seconds < 0 ? "in the future" : "old"), more than the allowed \(tolerance) s"
      )
    case .signature(.mismatch): ("signature_wrong", "the signature does not match: another secret, or another body")
    }
  }
}

extension SinkOptionError {
  fileprivate func explanation(of sink: String) -> (code: String, message: String) {
    switch self {
    case .missing(let key): ("sink_option_missing", "sink \(sink): \(key) is not set")
    case .bad(let key, let value, _): ("sink_option_bad", "sink \(sink): invalid value for \(key): \(value)")
    case .plainHTTP(let url): ("sink_plain_http", "sink \(sink): \(url) would send glucose and secrets unencrypted")
    case .secretMissing: ("sink_secret_missing", "sink \(sink): the secret is missing")
    }
  }
}
