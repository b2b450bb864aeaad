// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The memory card of a Flipper Zero, on which its NFC app saves what it has read. Nothing is written to it.
///
/// This works with every firmware, also where frames cannot be sent. The app saves a Libre 1; it gives up on a Libre 2,
/// which claims more blocks than it shows (read: flipperzero-firmware's ISO 15693 poller).
public struct FlipperCard: Sendable {
  private let port: String?

  /// `port`: of the Flipper, such as `/dev/ttyACM0`; nil for the first one that is plugged in.
  public init(port: String?) { self.port = port }

  /// What a directory holds, in the order of the Flipper.
  ///
  /// - Throws: `noReader`, `port`, `readerUnfit`, `readerSilent`, `flipperFile` for a directory that is not there.
  public func files(in directory: FlipperPath = .saved) async throws(TransportError) -> [FlipperFile] {
    try await talk { shell, isWanted throws(TransportError) in try shell.list(directory, while: isWanted) }
  }

  /// A file that was saved.
  public struct SavedFile: Hashable, Sendable {
    public let bytes: [UInt8]
    /// When, in seconds since 1970 as the Flipper's clock shows them, which knows no time zone (remembered); nil if it
    /// does not say.
    public let localSeconds: Int64?
  }

  /// Reads a file of at most 1 MiB.
  ///
  /// - Throws: as `files`; `flipperFile` also for a directory.
  public func file(at path: FlipperPath) async throws(TransportError) -> SavedFile {
    try await talk { shell, isWanted throws(TransportError) in
      let bytes = try shell.read(path, while: isWanted)
      return SavedFile(bytes: bytes, localSeconds: try shell.timestamp(path, while: isWanted))
    }
  }

  private func talk<Value: Sendable>(
    _ body: @escaping @Sendable (inout FlipperShell<SerialPort>, () -> Bool) throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    let path = try FlipperBackend.path(port, among: SerialDevice.all())
    let flipper = FlipperPort(path)
    let thread = ReaderThread(path)
    let result: Result<Value, TransportError>
    do throws(TransportError) {
      // A directory or a file may take the shell half a minute in all.
      result = .success(
        try await thread.perform(within: .seconds(60), orThrow: .readerSilent(name: path)) {
          isWanted throws(TransportError) in
          try flipper.open(while: isWanted)
          return try flipper.talk { shell throws(TransportError) in try body(&shell, isWanted) }
        })
    } catch {
      result = .failure(error)
    }
    await thread.finish(within: .seconds(10)) { flipper.close() }
    return try result.get()
  }
}
