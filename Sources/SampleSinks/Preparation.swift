// SPDX-License-Identifier: Apache-2.0

/// Values that a sink got from its receiver.
public struct SinkState: Hashable, Sendable {
  /// Values kept in the store, by name: the id of a user or of a data set. No secrets.
  public var kept: [String: String]
  /// Values for this run only: the token of a session.
  public var session: [String: Secret]

  public init(kept: [String: String] = [:], session: [String: Secret] = [:]) {
    self.kept = kept
    self.session = session
  }
}

/// A request before the first delivery, and the use of its answer.
public struct Preparation: Sendable {
  /// Purpose, for people: `log in`.
  public let purpose: String
  public let request: HTTPRequest
  /// Example of an answer, with placeholders for the receiver's values: `--dry-run` continues with it.
  public let example: HTTPResponse
  /// Returns the state with the values of an answer.
  ///
  /// - Throws: The verdict on an answer that is not a success.
  public let learn: @Sendable (HTTPResponse, SinkState) throws(PreparationFailure) -> SinkState

  public init(
    purpose: String, request: HTTPRequest, example: HTTPResponse,
    learn: @escaping @Sendable (HTTPResponse, SinkState) throws(PreparationFailure) -> SinkState
  ) {
    self.purpose = purpose
    self.request = request
    self.example = example
    self.learn = learn
  }
}

/// Failure of a preparation: any verdict except `accepted`.
public struct PreparationFailure: Error, Hashable, Sendable {
  public let verdict: Verdict

  public init(_ verdict: Verdict) { self.verdict = verdict }
}
