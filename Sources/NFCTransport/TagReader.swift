// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Something that can ask the tag in its field: a reader, a simulated sensor, or one of these wrapped in another.
public protocol TagReader: Sendable {
  var description: ReaderDescription { get }

  /// Sends one request and returns the tag's answer, unchecked: response flags first, without CRC.
  ///
  /// Throws when there is no answer, `tagLost` for one. A refusal is an answer. A reader that has no way to carry a
  /// command answers in the tag's place that it is not supported: `01 01`.
  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8]
}

extension TagReader {
  /// Sends one request and reads the answer.
  ///
  /// Throws what `exchange` throws, and `malformedResponse`.
  public func response(to request: ISO15693.Request) async throws(TransportError) -> ISO15693.Response {
    try ISO15693.Response(await exchange(request), to: request)
  }
}
