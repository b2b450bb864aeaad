// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The memory card of a Flipper Zero, to which nothing is written. This works with every firmware. The app saves a
/// Libre 1; it gives up on a Libre 2, which claims more blocks than it shows (read: the firmware's ISO 15693 poller).
package struct FlipperCard: Sendable {
  private let port: String?
  private let limit: Duration

  /// `port`: nil for the first Flipper that is plugged in. `limit`: how long the shell may take for a prompt.
  package init(port: String?, limit: Duration = .seconds(2)) {
    self.port = port
    self.limit = limit
  }

  package struct SavedFile: Hashable, Sendable {
    package let bytes: [UInt8]
    /// Seconds since 1970 as the Flipper's clock shows them, which knows no time zone (remembered).
    package let localSeconds: Int64?
  }

  /// Keeps the Flipper's order. Throws `port`, `readerUnfit`, `readerSilent`, `flipperFile` for a missing directory.
  package func files(in directory: FlipperPath = .saved) async throws(TransportError) -> [FlipperFile] {
    try await talk { shell, isWanted throws(TransportError) in try shell.list(directory, while: isWanted) }
  }

  /// Reads a file of at most 1 MiB. Throws as `files`; `flipperFile` also for a directory.
  package func file(at path: FlipperPath) async throws(TransportError) -> SavedFile {
    try await talk { shell, isWanted throws(TransportError) in
      let bytes = try shell.read(path, while: isWanted)
      return SavedFile(bytes: bytes, localSeconds: try shell.timestamp(path, while: isWanted))
    }
  }

  private func talk<Value: Sendable>(
    _ body: @escaping @Sendable (inout FlipperShell, () -> Bool) throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    guard let path = port ?? FlipperBackend.ports(among: SerialDevice.all()).first else {
      throw .readerUnfit(
        name: "Flipper Zero", reason: "none is plugged in",
        remedy: "plug it in and unlock it, or name its port: --port /dev/ttyACM0")
    }
    let device = SerialReader<FlipperShell>(port: path, limit: limit)
    let thread = ReaderThread(device.name)
    let result: Result<Value, TransportError>
    do throws(TransportError) {
      // Two commands of five prompts each, and what it takes to find the shell.
      let value = try await thread.perform(within: limit * 20, orThrow: .readerSilent(name: device.name)) {
        isWanted throws(TransportError) in
        try device.openPort()
        return try device.talk { shell throws(TransportError) in
          try shell.synchronise(while: isWanted)
          return try body(&shell, isWanted)
        }
      }
      result = .success(value)
    } catch {
      result = .failure(error)
    }
    await thread.finish(within: limit) { device.close() }
    return try result.get()
  }
}
