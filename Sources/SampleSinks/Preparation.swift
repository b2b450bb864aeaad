// SPDX-License-Identifier: Apache-2.0

/// Values that a sink got from its receiver.
package struct SinkState: Hashable, Sendable {
  /// Values kept in the store, by name: the id of a user or of a data set. No secrets.
  package var kept: [String: String]
  /// Values for this run only: the token of a session.
  package var session: [String: Secret]

  package init(kept: [String: String] = [:], session: [String: Secret] = [:]) {
    self.kept = kept
    self.session = session
  }
}

/// A request before the first delivery, and the use of its answer.
package struct Preparation: Sendable {
  /// Purpose, for people: `log in`.
  package let purpose: String
  package let request: HTTPRequest
  /// Example of an answer, with placeholders for the receiver's values: `--dry-run` continues with it.
  package let example: HTTPResponse
  /// Returns the state with the values of an answer.
  ///
  /// - Throws: The verdict on an answer that is not a success.
  package let learn: @Sendable (HTTPResponse, SinkState) throws(PreparationFailure) -> SinkState

  package init(
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
package struct PreparationFailure: Error, Hashable, Sendable {
  package let verdict: Verdict

  package init(_ verdict: Verdict) { self.verdict = verdict }
}
