// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain names are its own.
private let systemClose = close
private let systemRead = read
private let systemWrite = write

/// Bytes to and from a device: a serial port, a socket, or a script in a test.
package protocol SerialLine: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// Throws `readerSilent` if the device has not taken all bytes by `end`, `readerUnplugged`, `readerFailed`.
  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError)

  /// Returns no bytes if `end` has passed. Throws `cancelled` soon after `isWanted` says no, `readerUnplugged`,
  /// `readerFailed`.
  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8]
  func close()
}

/// A descriptor that does not block, which it owns. Its functions do block, so they belong on the reader's thread.
final class DescriptorLine: SerialLine {
  private let name: String
  private let isSocket: Bool
  /// −1 once it is closed.
  private let descriptor: Mutex<Int32>

  /// The time after which a wait asks whether it is still wanted.
  private static let step = Duration.milliseconds(50)

  /// `name`: of the device in errors.
  init(_ descriptor: Int32, name: String, isSocket: Bool = false) {
    self.name = name
    self.isSocket = isSocket
    self.descriptor = Mutex(descriptor)
  }

  deinit { close() }

  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError) {
    let open = try openDescriptor()
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        // A connection that has ended is an error here, and not the end of the program.
        isSocket
          ? send(open, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) : systemWrite(open, $0.baseAddress, $0.count)
      }
      if count > 0 {
        sent += count
      } else if count < 0, errno != EAGAIN, errno != EINTR {
        throw failure(errno)
      } else if ContinuousClock.now >= end {
        throw .readerSilent(name: name)
      } else {
        Self.wait(for: POLLOUT, on: open, until: end)
      }
    }
  }

  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    let open = try openDescriptor()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      guard isWanted() else { throw .cancelled }
      let count = systemRead(open, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 { throw .readerUnplugged(name: name) }
      if errno != EAGAIN, errno != EINTR { throw failure(errno) }
      if ContinuousClock.now >= end { return [] }
      Self.wait(for: POLLIN, on: open, until: end)
    }
  }

  func close() {
    descriptor.withLock { open in
      if open >= 0 { _ = systemClose(open) }
      open = -1
    }
  }

  private func openDescriptor() throws(TransportError) -> Int32 {
    let open = descriptor.withLock { $0 }
    guard open >= 0 else { throw .readerFailed(name: name, reason: "it is closed") }
    return open
  }

  /// Waits for an event at most until `end`, and at most for a moment.
  static func wait(for event: Int32, on descriptor: Int32, until end: Moment) {
    let time = min(max(.zero, ContinuousClock.now.duration(to: end)), step)
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // Rounded up, so that the end has passed when a wait of its whole length is over.
    _ = poll(&request, 1, Int32(clamping: Int(saturating: time / .milliseconds(1) + 1)))
  }

  private func failure(_ code: Int32) -> TransportError {
    switch code {
    case EIO, ENODEV, ENXIO, EPIPE, ECONNRESET: .readerUnplugged(name: name)
    default: .readerFailed(name: name, reason: String(cString: strerror(code)))
    }
  }
}
