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

/// Reasons why a device, a port or a connection cannot be used.
package enum DeviceFault: Error, Hashable, Sendable {
  case missing
  /// The group that may use it; nil if no group may.
  case denied(group: String?)
  /// Another program has it.
  case busy
  case notSerial
  /// It has not taken all bytes in time.
  case silent
  /// It was unplugged, or the other side has closed the connection.
  case gone
  /// The answer is not wanted any more.
  case unwanted
  case failed(reason: String)

  init(_ code: Int32) {
    self =
      switch code {
      case EIO, ENODEV, ENXIO, EPIPE, ECONNRESET: .gone
      case EADDRINUSE: .busy
      default: .failed(reason: String(cString: strerror(code)))
      }
  }
}

/// A descriptor that does not block, which it owns. Its functions do block, so they belong on a thread of their own.
package final class DescriptorLine: Sendable {
  package typealias Moment = ContinuousClock.Instant

  private let isSocket: Bool
  /// −1 once it is closed.
  private let descriptor: Mutex<Int32>

  /// The time after which a wait asks whether it is still wanted.
  private static let step = Duration.milliseconds(50)

  init(_ descriptor: Int32, isSocket: Bool = false) {
    self.isSocket = isSocket
    self.descriptor = Mutex(descriptor)
  }

  deinit { close() }

  /// Throws `silent` if the device has not taken all bytes by `end`.
  package func write(_ bytes: [UInt8], until end: Moment) throws(DeviceFault) {
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
        throw DeviceFault(errno)
      } else if ContinuousClock.now >= end {
        throw .silent
      } else {
        Self.wait(for: POLLOUT, on: open, until: end)
      }
    }
  }

  /// Returns no bytes if `end` has passed. Throws `unwanted` soon after `isWanted` says no.
  package func read(until end: Moment, while isWanted: () -> Bool) throws(DeviceFault) -> [UInt8] {
    let open = try openDescriptor()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      guard isWanted() else { throw .unwanted }
      let count = systemRead(open, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 { throw .gone }
      if errno != EAGAIN, errno != EINTR { throw DeviceFault(errno) }
      if ContinuousClock.now >= end { return [] }
      Self.wait(for: POLLIN, on: open, until: end)
    }
  }

  package func close() {
    descriptor.withLock { open in
      if open >= 0 { _ = systemClose(open) }
      open = -1
    }
  }

  private func openDescriptor() throws(DeviceFault) -> Int32 {
    let open = descriptor.withLock { $0 }
    guard open >= 0 else { throw .failed(reason: "it is closed") }
    return open
  }

  /// Waits for an event at most until `end`, and at most for a moment.
  static func wait(for event: Int32, on descriptor: Int32, until end: Moment) {
    let time = min(max(.zero, ContinuousClock.now.duration(to: end)), step)
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // Rounded up, so that the end has passed when a wait of its whole length is over.
    _ = poll(&request, 1, Int32(clamping: Int(saturating: time / .milliseconds(1) + 1)))
  }
}
