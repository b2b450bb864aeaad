// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SampleSync

@Suite("A courier's thread", .startsProcesses)
struct CourierThreadTests {
  @Test("survives a write to a closed connection, and does not change the handling of SIGPIPE")
  func brokenPipe() async throws {
    let result = try await CourierThread("test").perform(within: .seconds(ampleSeconds)) {
      _ throws(DeliveryError) -> [Int32] in
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      defer { close(ends[1]) }
      let written = write(ends[1], "x", 1)
      return [Int32(written), errno]
    }
    #expect(result == [-1, EPIPE])
  }

  @Test("gives up a call that does not return in time, and continues after the call has returned")
  func stuck() async throws {
    let thread = CourierThread("test")
    let gate = DispatchSemaphore(value: 0)
    let began = Mutex(false)
    // Again only where the machine was too busy to begin within a second.
    while !began.withLock({ $0 }) {
      await #expect(throws: DeliveryError.unavailable(reason: "no answer within 1 s")) {
        try await thread.perform(within: .seconds(1)) { _ throws(DeliveryError) in
          began.withLock { $0 = true }
          gate.wait()
        }
      }
    }
    let ran = Mutex(false)
    await #expect(throws: DeliveryError.unavailable(reason: "no answer within 0 s")) {
      try await thread.perform(within: .zero) { _ throws(DeliveryError) in ran.withLock { $0 = true } }
    }
    gate.signal()
    #expect(try await thread.perform(within: .seconds(ampleSeconds)) { _ throws(DeliveryError) in 7 } == 7)
    // Work that was given up before it began is not done later.
    #expect(ran.withLock { !$0 })
  }

  @Test("wakes work that is blocked in C code when its task is cancelled")
  func wakes() async throws {
    let began = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let task = Task {
      try await CourierThread("test").perform(within: .seconds(ampleSeconds), wake: { gate.signal() }) {
        isWanted throws(DeliveryError) in
        let before = isWanted()
        began.signal()
        gate.wait()
        began.signal()
        return before && !isWanted()
      }
    }
    try await blocking { began.wait() }
    task.cancel()
    await #expect(throws: DeliveryError.unavailable(reason: "cancelled")) { try await task.value }
    try await blocking { began.wait() }
  }
}
