// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import Testing

@testable import SampleSinks

@Suite("A courier's thread")
struct CourierThreadTests {
  @Test("survives writing to a connection that is closed, and leaves the signal as it was")
  func brokenPipe() async throws {
    let result = try await CourierThread("test").perform(within: .seconds(5)) { _ throws(DeliveryError) -> [Int32] in
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      defer { close(ends[1]) }
      let written = write(ends[1], "x", 1)
      return [Int32(written), errno]
    }
    #expect(result == [-1, EPIPE])
  }

  @Test("lets its caller go when a call does not come back, and works on when it does")
  func stuck() async throws {
    let thread = CourierThread("test")
    let gate = DispatchSemaphore(value: 0)
    await #expect(throws: DeliveryError.unavailable(reason: "no answer within 1 s")) {
      try await thread.perform(within: .seconds(1)) { _ throws(DeliveryError) in gate.wait() }
    }
    let ran = Mutex(false)
    await #expect(throws: DeliveryError.unavailable(reason: "no answer within 1 s")) {
      try await thread.perform(within: .seconds(1)) { _ throws(DeliveryError) in ran.withLock { $0 = true } }
    }
    gate.signal()
    #expect(try await thread.perform(within: .seconds(5)) { _ throws(DeliveryError) in 7 } == 7)
    // What was given up before it began is not done later.
    #expect(ran.withLock { !$0 })
  }

  @Test("tells work that waits in C that it is not wanted any more")
  func wakes() async throws {
    let began = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await CourierThread("test").perform(within: .seconds(60), wake: { gate.signal() }) {
        isWanted throws(DeliveryError) in
        let before = isWanted()
        began.signal()
        gate.wait()
        began.signal()
        return before && !isWanted()
      }
    }
    await Self.wait(for: began)
    task.cancel()
    await #expect(throws: DeliveryError.unavailable(reason: "cancelled")) { try await task.value }
    await Self.wait(for: began)
  }

  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}
