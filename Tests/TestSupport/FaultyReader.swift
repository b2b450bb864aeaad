// SPDX-License-Identifier: Apache-2.0
package import NFCTransport

/// A reader on which exchanges go wrong: at chosen numbers, or at random with a seed.
package actor FaultyReader: ReaderMiddleware {
  package nonisolated let reader: any TagReader
  private var nextFault: (_ exchange: Int) -> ExchangeFault?
  private var exchanges = 0
  /// Whether a tag that was taken away comes back; nil while it is there.
  private var returns: Bool?

  /// The faults by the number of the exchange, from 1.
  package init(_ reader: any TagReader, faults: [Int: ExchangeFault]) {
    self.reader = reader
    nextFault = { faults[$0] }
  }

  /// One exchange in `oneIn` goes wrong, in any of the ways. The same generator makes the same storm.
  package init(_ reader: any TagReader, oneIn: UInt64, generator: any RandomNumberGenerator & Sendable) {
    self.reader = reader
    var generator = generator
    nextFault = { _ in generator.next() % max(oneIn, 1) == 0 ? .drawn(from: generator.next()) : nil }
  }

  package func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    exchanges += 1
    let fault = nextFault(exchanges)
    if returns == nil, case .removal(let comesBack) = fault { returns = comesBack }
    if returns != nil { throw .tagLost(block: request.firstBlock) }
    let answer = try await reader.exchange(request)
    guard let fault else { return answer }
    guard let spoilt = fault.corrupted(answer) else { throw .tagSilent(block: request.firstBlock) }
    return spoilt
  }

  package func waitForTag(within limit: Duration) async throws(TransportError) {
    if returns == false { throw .noTag }
    returns = nil
    try await reader.waitForTag(within: limit)
  }

  package func waitForRemoval() async throws(TransportError) {
    if returns == nil { try await reader.waitForRemoval() }
  }
}

extension ExchangeFault {
  /// Each way as often as the others. A tag that is taken away comes back.
  fileprivate static func drawn(from word: UInt64) -> ExchangeFault {
    let detail = word / 6
    return switch word % 6 {
    case 0: .silence
    case 1: .refusal(TagError(code: UInt8(truncatingIfNeeded: detail)))
    case 2: .inversion(byte: Int(detail % 25))
    case 3: .short(bytes: Int(detail % 25) + 1)
    case 4: .long(bytes: Int(detail % 25) + 1)
    default: .removal(returns: true)
    }
  }
}
