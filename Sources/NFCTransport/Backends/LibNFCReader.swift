// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CGMModel
  import HostSystem

  /// A PN532Killer opened through libnfc.
  ///
  /// The device sends the frame unchanged, with the checksum made here, and returns the tag's answer with its checksum.
  /// Untested on hardware: answers of 24 bytes or more, the custom command for the patch info, the device's
  /// behaviour when a tag is silent, and its timing.
  final class LibNFCReader: TagReader {
    let description: ReaderDescription
    private let device: LibNFCDevice
    private let thread: ReaderThread
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// Interval between two checks for a tag.
    private static let interval = Duration.milliseconds(200)
    /// Number of unanswered inventories in a row after which the tag counts as removed.
    private static let silencesAfterRemoval = 3
    /// libnfc sends up to twenty commands to set a device up, with timeouts of its own; a dead port takes 1.4 s.
    private static let setUpTimeout = Duration.seconds(5)

    /// Opens the device.
    init(
      _ device: LibNFCDevice, address: ReaderAddress, deadline: Duration, clock: any Clock<Duration>
    ) async throws(TransportError) {
      self.device = device
      self.deadline = deadline
      self.clock = clock
      thread = ReaderThread(device.connstring)
      do throws(TransportError) {
        let name = try await thread.perform(
          within: Self.setUpTimeout, orThrow: .readerSilent(name: device.connstring)
        ) { () throws(TransportError) in try device.open() }
        description = ReaderDescription(address: address.description, name: name, dialect: "pn532killer")
      } catch {
        // The open may have timed out or been cancelled, and succeeded after all.
        await Self.close(device, on: thread)
        throw error
      }
    }

    func waitForTag(within timeout: Duration) async throws(TransportError) {
      try await waitForTag(within: timeout, on: clock)
    }

    private func waitForTag(within timeout: Duration, on clock: some Clock<Duration>) async throws(TransportError) {
      let end = clock.now.advanced(by: timeout)
      while try await answer(to: .inventory) == nil {
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
        if silences == Self.silencesAfterRemoval { return }
        try await pause(Self.interval)
      }
    }

    func close() async { await Self.close(device, on: thread) }

    /// Closes in a task of its own: the field must go off also if the caller's task was cancelled.
    private static func close(_ device: LibNFCDevice, on thread: ReaderThread) async {
      await Task {
        try? await thread.perform(within: setUpTimeout, orThrow: .readerSilent(name: device.connstring)) {
          device.close()
        }
      }.value
    }

    /// Sends a request; nil without a possible answer.
    private func answer(to request: ISO15693.Request) async throws(TransportError) -> [UInt8]? {
      // Up to three calls of libnfc (see `LibNFCDevice.send`), each waiting for several parts of an answer.
      try await thread.perform(within: deadline * 6, orThrow: .readerSilent(name: description.name)) {
        [device] () throws(TransportError) in try device.send(request.frame)
      }
    }

    private func pause(_ duration: Duration) async throws(TransportError) {
      do { try await clock.sleep(for: duration) } catch { throw .cancelled }
    }
  }
#endif
