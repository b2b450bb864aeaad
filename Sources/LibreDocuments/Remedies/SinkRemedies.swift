// SPDX-License-Identifier: Apache-2.0
package import SampleSync
import SensorHistory
import TextFormats

extension SinkError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .noSuchSink, .noneChosen, .exists, .hasParked: 64
    case .badName, .unknownKey, .option, .badReferenceID, .noSinks, .notEnrolled: 78
    case .secretUnreadable, .secretTooOpen, .secretCommandFailed, .secretEmpty, .secretMissing: 77
    case .beingSent, .farewellFailed: 75
    case .libraryMissing: 69
    case .signature(.malformed): 65
    case .signature(.outOfTime), .signature(.mismatch): 77
    }
  }

  package var resolution: String {
    switch self {
    case .noSuchSink: "libre sink list"
    case .badName: "use at most 64 lower-case letters, digits and -, beginning with a letter or a digit"
    case .exists(let name, _): "choose another name, or libre sink remove \(name)"
    case .unknownKey(_, _, let known): "use one of \(known.joined(separator: ", "))"
    case .option(_, .missing): "libre sink list --supported explains it"
    case .option(_, .bad(_, _, let allowed)): "use \(allowed)"
    case .option(_, .plainHTTP): "use https:// or mqtts://; or set allow_http = true if the network is private"
    case .option(let sink, .secretMissing):
      "set secret_file (mode 600), secret_command, or the variable \(SinkSetup.secretVariable(sink))"
    case .badReferenceID: "use \(ReferenceID.allowed)"
    case .noneChosen: "name a sink, or leave out --sink for all sinks"
    case .noSinks: "libre sink add --help"
    case .notEnrolled(let name): "libre sync --sink \(name)"
    case .secretUnreadable: "check the path and its permissions"
    case .secretTooOpen(let path, _): "chmod 600 \(path)"
    case .secretCommandFailed: "run it by hand: its first line of output must be the secret"
    case .secretEmpty: "write the secret into the first line"
    case .secretMissing(let variable): "name a file or a command with the secret, or set the variable \(variable)"
    case .hasParked(let name, _): "libre outbox list --sink \(name) shows them; --purge removes the sink with them"
    case .farewellFailed(let name, _, _):
      "libre sink remove \(name) --keep-remote removes the sink and leaves the topics there"
    case .beingSent: "nothing: it also sends new samples"
    case .libraryMissing(_, let package): SinkError.installation(of: package)
    case .signature(.malformed): "pass the whole value of the header \(WebhookSignature.headerName)"
    case .signature(.outOfTime): "check the clocks; --tolerance allows more for a saved request"
    case .signature(.mismatch): "check the secret, and that the body is unchanged byte for byte"
    }
  }
}

extension SyncResult {
  package var exitStatus: Int32 {
    switch self {
    case .done: 0
    case .unequipped: 69
    case .queued: 75
    case .refused: 77
    case .misdirected: 78
    case .interrupted: 130
    }
  }
}

extension SinkProbe.Outcome {
  package var exitStatus: Int32 {
    switch self {
    case .good: 0
    case .unavailable: 75
    case .partial, .refused: 77
    case .misdirected: 78
    }
  }
}

extension SinkProbe {
  /// Reason for the failure, with what helps; nil for success.
  package var words: String? { error.map { "\($0.message) (Try: \($0.resolution))" } ?? reason }
}

extension SinkView {
  /// Advice for a sink that is not enabled.
  package var resolution: String? { error?.resolution ?? command }
}
