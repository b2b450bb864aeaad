// SPDX-License-Identifier: Apache-2.0

/// What a sink has learnt from its receiver.
public struct SinkState: Hashable, Sendable {
  /// Kept in the store, by name: the id of a user or of a data set. Nothing secret.
  public var kept: [String: String]
  /// For this run alone: the token of a session.
  public var session: [String: Secret]

  public init(kept: [String: String] = [:], session: [String: Secret] = [:]) {
    self.kept = kept
    self.session = session
  }
}

/// A question that comes before the first delivery, and what its answer teaches.
public struct Preparation: Sendable {
  /// For people: `log in`.
  public let purpose: String
  public let request: HTTPRequest
  /// An answer as the receiver gives it, with names for what it makes up: with it `--dry-run` goes on.
  public let example: HTTPResponse
  /// The memory with what the answer says; throws what the answer means if it is no success.
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

/// Why a preparation has not succeeded: any verdict but `accepted`.
public struct PreparationFailure: Error, Hashable, Sendable {
  public let verdict: Verdict

  public init(_ verdict: Verdict) { self.verdict = verdict }
}
