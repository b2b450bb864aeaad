// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CGMModel
  import HostSystem

  /// A PN532Killer that libnfc has open.
  ///
  /// The device sends the frame as it is, with the checksum that is made here, and gives back the tag's answer with its
  /// own. Untested on hardware: answers of 24 bytes and more, the custom command for the patch info, what the device
  /// does when a tag is silent, and how long it takes.
  final class LibNFCReader: TagReader {
    let description: ReaderDescription
    private let device: LibNFCDevice
    private let thread: ReaderThread
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// From one look for a tag to the next.
    private static let interval = Duration.milliseconds(200)
    /// So often in a row an inventory stays without answer before the tag counts as taken away.
    private static let silencesOfAnEmptyField = 3
    /// libnfc asks up to twenty questions to set a device up, with timeouts of its own; a dead port takes 1.4 s.
    private static let setUpLimit = Duration.seconds(5)

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
          within: Self.setUpLimit, orThrow: .readerSilent(name: device.connstring)
        ) { () throws(TransportError) in try device.open() }
        description = ReaderDescription(address: address.description, name: name, dialect: "pn532killer")
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
        if silences == Self.silencesOfAnEmptyField { return }
        try await pause(Self.interval)
      }
    }

    func close() async { await Self.close(device, on: thread) }

    /// In a task of its own: the field has to go off when the caller's task was cancelled, too.
    private static func close(_ device: LibNFCDevice, on thread: ReaderThread) async {
      await Task {
        try? await thread.perform(within: setUpLimit, orThrow: .readerSilent(name: device.connstring)) {
          device.close()
        }
      }.value
    }

    /// nil if none came that can be one.
    private func answer(to request: ISO15693.Request) async throws(TransportError) -> [UInt8]? {
      // Up to three calls of libnfc (see `LibNFCDevice.send`), and each waits for several parts of an answer.
      try await thread.perform(within: deadline * 6, orThrow: .readerSilent(name: description.name)) {
        [device] () throws(TransportError) in try device.send(request.frame)
      }
    }

    private func pause(_ duration: Duration) async throws(TransportError) {
      do { try await clock.sleep(for: duration) } catch { throw .cancelled }
    }
  }
#endif
