// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import Testing

@Suite("Wrappers around readers")
struct MiddlewareTests {
  private static let wrappers: [@Sendable (any TagReader) -> any TagReader] = [
    { RetryingReader($0, policy: .standard) }, { MeteringReader($0) }, { ObservedReader($0) { _ in } },
    { TracingReader($0, showsIdentifiers: false, tool: "libre", write: { _ in }) },
  ]

  @Test("pass on everything that they do not change", arguments: 0..<4)
  func passOn(wrapper: Int) async throws {
    let recordedAt = Instant(secondsSince1970: 1_795_000_000)
    let inner = ScriptedReader([.answer([0x01, 0x10])], recordedAt: recordedAt)
    let reader = Self.wrappers[wrapper](inner)
    #expect(await reader.description == inner.description)
    #expect(await reader.asHostReader?.recording == Recording(at: recordedAt))
    try await reader.waitForTag(within: .seconds(3))
    #expect(try await reader.exchange(.readBlock(99)) == [0x01, 0x10])
    try await reader.waitForRemoval()
    await reader.close()
    #expect(await inner.calls == ["waitForTag 3.0 seconds", "exchange", "waitForRemoval", "close"])
  }
}
