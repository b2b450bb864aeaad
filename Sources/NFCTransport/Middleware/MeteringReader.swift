// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A reader that counts what passes through it.
public actor MeteringReader: TagReader {
  private let reader: any TagReader
  /// Since it was made.
  public private(set) var meter = ExchangeMeter()

  public init(_ reader: any TagReader) { self.reader = reader }

  public var description: ReaderDescription { get async { await reader.description } }
  public var recording: Recording? { get async { await reader.recording } }

  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await reader.run(work, rescue: rescue)
  }

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

  public func waitForTag(within limit: Duration) async throws(TransportError) {
    try await reader.waitForTag(within: limit)
  }

  public func waitForRemoval() async throws(TransportError) { try await reader.waitForRemoval() }

  public func close() async { await reader.close() }
}
