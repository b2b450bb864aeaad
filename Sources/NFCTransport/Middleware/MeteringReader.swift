// SPDX-License-Identifier: Apache-2.0

/// A reader that counts the exchanges passing through it.
package actor MeteringReader: ReaderMiddleware {
  package nonisolated let reader: any TagReader
  /// Counts since the reader was created.
  package private(set) var meter = ExchangeMeter()

  package init(_ reader: any TagReader) { self.reader = reader }

  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
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
