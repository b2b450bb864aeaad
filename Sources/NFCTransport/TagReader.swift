// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Something that can ask the tag in its field: a reader, a simulated sensor, or one of these wrapped in another.
///
/// The order of calls is: `waitForTag`, then any number of `exchange`, then `waitForTag` for the next tap, at last `close`.
/// Every call ends: with a result, with an error, or with `cancelled` soon after its task was cancelled.
public protocol TagReader: Sendable {
  /// What this reader is. Its dialect is known once a tag has answered, and says so until then.
  var description: ReaderDescription { get async }

  /// Where the answers come from, if not from a tag that is there now.
  var recording: Recording? { get async }

  /// Waits until a tag is in the field and starts afresh with it; returns at once if one is there.
  ///
  /// Throws `noTag` when the time is over, `otherCard` for a card of another kind, and what is wrong with the reader.
  func waitForTag(within limit: Duration) async throws(TransportError)

  /// Sends one request and returns the tag's answer, unchecked: response flags first, without CRC.
  ///
  /// Throws when there is no answer: `tagSilent`, `tagLost`. A refusal is an answer. A reader that has no way to carry a
  /// command answers in the tag's place that it is not supported: `01 01`.
  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8]

  /// Does `work`, which asks this reader many things, where asking it is quickest.
  ///
  /// If the reader never comes back from one of them, the result is what `rescue` makes of the failure.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value

  /// Returns when the tag has left the field.
  func waitForRemoval() async throws(TransportError)

  /// Ends the conversation and switches the field off; nothing can be asked afterwards. May be called twice.
  func close() async
}

/// Answers that a tag gave before.
public struct Recording: Hashable, Sendable {
  /// When; nil if nobody knows.
  public let at: Instant?

  public init(at: Instant?) { self.at = at }
}

extension TagReader {
  public var recording: Recording? { nil }

  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await work()
  }

  /// Sends one request and reads the answer.
  ///
  /// Throws what `exchange` throws, and `malformedResponse`.
  public func response(to request: ISO15693.Request) async throws(TransportError) -> ISO15693.Response {
    try ISO15693.Response(await exchange(request), to: request)
  }
}
