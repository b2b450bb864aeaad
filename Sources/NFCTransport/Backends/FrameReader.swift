// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// A reader made of a device that carries frames as they are: a PN532Killer, a Proxmark3, a Flipper Zero.
///
/// Such a device has no event for a tag that comes or goes, so that it is asked for one again and again.
final class FrameReader: TagReader {
  let description: ReaderDescription
  private let device: any FrameDevice
  private let thread: ReaderThread
  private let clock: any Clock<Duration>

  /// The time between two looks for a tag.
  private static let interval = Duration.milliseconds(200)
  /// The number of inventories without answer, one after the other, after which the tag counts as taken away.
  private static let silencesOfAnEmptyField = 3

  /// Opens the device. `clock`: what the waits between two looks for a tag are measured with.
  init(
    _ device: any FrameDevice, address: ReaderAddress, clock: any Clock<Duration>
  ) async throws(TransportError) {
    self.device = device
    self.clock = clock
    thread = ReaderThread(device.name)
    do throws(TransportError) {
      description = try await thread.perform(within: device.openingLimit, orThrow: .readerSilent(name: device.name)) {
        isWanted throws(TransportError) in try device.open(address: address.description, while: isWanted)
      }
    } catch {
      // It may have been given up, or cancelled, and come to be open after all.
      await Self.close(device, on: thread)
      throw error
    }
  }

  func waitForTag(within limit: Duration) async throws(TransportError) {
    try await waitForTag(within: limit, on: clock)
  }

  private func waitForTag(within limit: Duration, on clock: some Clock<Duration>) async throws(TransportError) {
    let end = clock.now.advanced(by: limit)
    while try await answer(to: .inventory, startsAfresh: true) == nil {
      let left = clock.now.duration(to: end)
      guard left > .zero else { throw .noTag }
      try await pause(min(left, Self.interval))
    }
  }

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    guard let answer = try await answer(to: request) else { throw .tagSilent(block: request.firstBlock) }
    return answer
  }

  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await thread.run(work, rescue: rescue)
  }

  func waitForRemoval() async throws(TransportError) {
    var silences = 0
    while true {
      silences = try await answer(to: .inventory) == nil ? silences + 1 : 0
      if silences == Self.silencesOfAnEmptyField { return }
      try await pause(Self.interval)
    }
  }

  /// The field has to go off when the caller's task was cancelled, too.
  func close() async { await Self.close(device, on: thread) }

  private static func close(_ device: any FrameDevice, on thread: ReaderThread) async {
    await thread.finish(within: device.openingLimit) { device.close() }
  }

  /// nil if none came that can be one.
  private func answer(
    to request: ISO15693.Request, startsAfresh: Bool = false
  ) async throws(TransportError) -> [UInt8]? {
    try await thread.perform(within: device.exchangeLimit, orThrow: .readerSilent(name: device.name)) {
      [device] isWanted throws(TransportError) in
      try device.send(request, startsAfresh: startsAfresh, while: isWanted)
    }
  }

  private func pause(_ duration: Duration) async throws(TransportError) {
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
  }
}
