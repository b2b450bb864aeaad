// SPDX-License-Identifier: Apache-2.0

/// Reports every attempt of the inner reader and its duration, so put it inside a `RetryingReader`.
package struct ObservedReader: ReaderMiddleware {
  package let reader: any TagReader
  private let report: @Sendable (ReaderExchange) -> Void

  package init(_ reader: any TagReader, report: @escaping @Sendable (ReaderExchange) -> Void) {
    self.reader = reader
    self.report = report
  }

  private static let start = ContinuousClock.now
  /// Time since the first call.
  package static let uptime: @Sendable () -> Duration = { ContinuousClock.now - start }

  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    let start = ContinuousClock.now
    let answer = await reader.result(of: request)
    report(ReaderExchange(request, answer, duration: .now - start))
    return try answer.get()
  }
}

/// A request to a tag and its outcome, without UID and measured values.
package struct ReaderExchange: Hashable, Sendable {
  package let request: ISO15693.Request
  /// `ok`, `refused 0F` with the tag's code, or the error code if the tag did not answer.
  package let outcome: String
  /// Length of the answer including its flags; nil without an answer.
  package let answerBytes: Int?
  package let duration: Duration

  init(_ request: ISO15693.Request, _ answer: Result<[UInt8], TransportError>, duration: Duration) {
    self.request = request
    self.duration = duration
    switch answer {
    case .success(let frame):
      answerBytes = frame.count
      let isRefusal = (frame.first ?? 0) & 1 == 1
      outcome = isRefusal ? "refused \(HexText.string(of: frame.dropFirst().prefix(1)))" : "ok"
    case .failure(let error): (answerBytes, outcome) = (nil, error.code)
    }
  }

  /// `read blocks 3 to 5`.
  package var question: String {
    switch request {
    case .inventory: "inventory"
    case .systemInformation: "system information"
    case .patchInfo: "patch info"
    case .readBlock, .readBlocks: "read \(request.blockWords)"
    case .readWideBlock, .readWideBlocks: "read wide \(request.blockWords)"
    }
  }
}
