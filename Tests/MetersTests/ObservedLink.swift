// SPDX-License-Identifier: Apache-2.0
@testable import Meters

/// Keeps what happens on a link and beside it, in order.
actor LinkLog {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }
}

/// A link that notes what is asked of it, and can cancel the task that uses it.
struct ObservedLink: MeterLink {
  let base: SimulatedMeter
  let log: LinkLog
  /// The wait for an event, from 0, in which the task is cancelled; nil for never.
  var cancelsAt: Int?

  var identity: MeterIdentity { base.identity }
  var characteristics: Set<MeterCharacteristic> { base.characteristics }

  func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
    await log.note(request.writtenBytes.map { "write \($0)" } ?? "\(request)")
    return await base.perform(request, within: timeout)
  }

  func nextEvent(within timeout: Duration) async -> MeterEvent {
    if let cancelsAt, await log.lines.filter({ $0 == "wait" }).count == cancelsAt {
      withUnsafeCurrentTask { $0?.cancel() }
    }
    await log.note("wait")
    return await base.nextEvent(within: timeout)
  }

  func disconnect() async {
    await log.note(Task.isCancelled ? "disconnect in a cancelled task" : "disconnect")
    await base.disconnect()
  }
}
