// SPDX-License-Identifier: Apache-2.0

/// A reader that counts the exchanges passing through it.
public actor MeteringReader: ReaderMiddleware {
  public nonisolated let reader: any TagReader
  /// Counts since the reader was created.
  public private(set) var meter = ExchangeMeter()

  public init(_ reader: any TagReader) { self.reader = reader }

  public func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    do throws(TransportError) {
      let answer = try await reader.exchange(request)
      meter.count(request, answer: answer)
      return answer
    } catch {
      meter.count(request, answer: nil)
      throw error
    }
  }
}
