// SPDX-License-Identifier: Apache-2.0

/// A device that queries the tag in its field: a reader, a simulated sensor, or a wrapper around one.
///
/// Order of calls: `waitForTag`, any number of `exchange`, `waitForTag` for the next tap, finally `close`. Every call ends
/// with a result, with an error, or with `cancelled` soon after its task was cancelled.
public protocol TagReader: Sendable {
  /// The reader's address, name and way of carrying a request.
  var description: ReaderDescription { get async }

  /// Waits for a tag and starts a new conversation.
  ///
  /// - Throws: `noTag` after the timeout, `otherCard`, errors of the reader.
  func waitForTag(within timeout: Duration) async throws(TransportError)

  /// Sends a request and returns the unchecked answer: response flags first, without CRC, as `ISO15693.answer` makes it of
  /// data. A refusal is an answer; a reader that cannot carry a command returns `01 01`, "not supported".
  ///
  /// - Throws: `tagSilent` or `tagLost` without an answer.
  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8]

  /// Waits until no tag is in the field.
  func waitForRemoval() async throws(TransportError)

  /// Ends the conversation and switches the field off; no request is possible afterwards. May be called twice.
  func close() async
}

/// A reader of this machine, or what is around one.
package protocol HostReader: TagReader {
  /// Recording that the answers come from; nil for a tag that is present now.
  var recording: Recording? { get async }

  /// Thread on which its calls run; nil if they run anywhere.
  var ownThread: (any ReaderThreading)? { get async }
}

/// The thread of a driver. Its type is the host's, of which this half of the module knows nothing.
package protocol ReaderThreading: Sendable {
  /// Runs `work` on the thread. If a call of it never returns, the result is `rescue` of that failure.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value
}

extension HostReader {
  package var recording: Recording? { nil }
  package var ownThread: (any ReaderThreading)? { nil }
}

package struct Recording: Hashable, Sendable {
  package let at: Instant?

  package init(at: Instant?) { self.at = at }
}

extension TagReader {
  package var asHostReader: (any HostReader)? { self as? any HostReader }

  /// Runs `work`, which sends many requests, where they are fastest. If the reader never returns from a request, the
  /// result is `rescue` of that failure.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    guard let thread = await asHostReader?.ownThread else { return await work() }
    return await thread.run(work, rescue: rescue)
  }

  /// Sends one request and parses the answer. Throws also `malformedResponse`.
  package func response(to request: ISO15693.Request) async throws(TransportError) -> ISO15693.Response {
    try ISO15693.Response(await exchange(request), to: request)
  }

  /// The outcome of `exchange` as a value.
  func result(of request: ISO15693.Request) async -> Result<[UInt8], TransportError> {
    do throws(TransportError) { return .success(try await exchange(request)) } catch { return .failure(error) }
  }
}
