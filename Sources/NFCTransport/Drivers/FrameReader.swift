// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A reader made of a device that carries frames as they are, and that is asked for a tag again and again.
final class FrameReader: HostReader {
  let description: ReaderDescription
  private let device: any FrameDevice
  private let thread: ReaderThread
  private let clock: any Clock<Duration>

  private static let interval = Duration.milliseconds(200)
  /// The number of unanswered inventories in a row that means that the tag is gone.
  private static let silencesOfAnEmptyField = 3

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
      // A timed-out or cancelled open may still have succeeded.
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
      guard left > .zero else { throw device.noTag }
      try await pause(min(left, Self.interval))
    }
  }

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    guard let answer = try await answer(to: request) else { throw .tagSilent(block: request.firstBlock) }
    return answer
  }

  var ownThread: (any ReaderThreading)? { thread }

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

/// Its functions block, are called on one thread, and end soon after `isWanted` says no.
protocol FrameDevice: Sendable {
  /// The name in errors, also before the device is open.
  var name: String { get }
  var openingLimit: Duration { get }
  var exchangeLimit: Duration { get }

  /// Opens the device and makes sure of what it is. After an error, too, `close` has to follow.
  func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription

  /// nil without a plausible answer. `startsAfresh`: the tag is to lose its power first, where the device can do that.
  func send(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]?

  /// Switches the field off and gives the device back; may be called twice.
  func close()

  /// The reason why no tag was found.
  var noTag: TransportError { get }
}

extension FrameDevice {
  var noTag: TransportError { .noTag }
}

/// A reader's own thread. While a call is stuck in the C library, later calls are refused at once.
typealias ReaderThread = BlockingThread<TransportError>

extension BlockingThread: ReaderThreading where Failure == TransportError {
  convenience init(_ name: String) {
    self.init("libre.reader.\(name)", cancelled: .cancelled, refusesWhileStuck: true)
  }
}

/// Checksum at the end of every frame on air, in both directions, for a reader that leaves it to the host
/// (NFCTransport/ReadingOverTheAir, "Checksum on air").
enum FrameChecksum {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var register: UInt16 = 0xFFFF
    for byte in bytes {
      register ^= UInt16(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x8408 : register >> 1 }
    }
    return ~register
  }

  static func sealed(_ frame: [UInt8]) -> [UInt8] {
    let checksum = checksum(frame)
    return frame + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
  }

  /// Returns the frame without its checksum; nil if the checksum is wrong, or the frame is empty.
  static func opened(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    let frame = Array(bytes.dropLast(2))
    return frame.isEmpty || !sealed(frame).elementsEqual(bytes) ? nil : frame
  }
}
