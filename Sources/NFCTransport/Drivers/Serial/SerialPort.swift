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

/// A serial port that this program has for itself: raw bytes, 115 200 baud (over USB the number has no meaning). Its
/// functions block, so they belong on the reader's thread.
final class SerialPort: Sendable {
  let path: String
  /// −1 once it is closed.
  private let descriptor: Mutex<Int32>

  /// The time after which a wait asks whether it is still wanted.
  private static let step = Duration.milliseconds(50)

  /// Locks the port and drops the bytes that are waiting in it. Throws `port` with what is wrong with it,
  /// `readerFailed`.
  init(_ path: String) throws(TransportError) {
    self.path = path
    let port = try Self.claim(path)
    descriptor = Mutex(port)
    // Keeps out programs that ask for no lock, such as ModemManager; root is not kept out (run).
    _ = ioctl(port, UInt(TIOCEXCL))
    var settings = termios()
    tcgetattr(port, &settings)
    // Reading returns what there is, and 0 only when the device is gone.
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
    cfsetispeed(&settings, speed_t(B115200))
    cfsetospeed(&settings, speed_t(B115200))
    guard tcsetattr(port, TCSANOW, &settings) == 0 else {
      let reason = String(cString: strerror(errno))
      _ = systemClose(port)
      throw .readerFailed(name: path, reason: reason)
    }
    flush()
  }

  deinit { close() }

  /// Returns a descriptor to be closed by the caller, and sends nothing. Throws `port` with what is wrong with it.
  ///
  /// Two locks, because programs ask for one or the other: `flock` (picocom, tio) and `fcntl` (the Proxmark3 client).
  /// The second is the kind that belongs to the descriptor, so that it also keeps out this program itself.
  static func claim(_ path: String) throws(TransportError) -> Int32 {
    let port = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard port >= 0 else {
      switch errno {
      case ENOENT, ENXIO, ENODEV: throw .port(path: path, .missing)
      case EACCES, EPERM: throw .port(path: path, .denied(group: group(of: path)))
      case EBUSY: throw .port(path: path, .busy)
      case let code: throw .readerFailed(name: path, reason: String(cString: strerror(code)))
      }
    }
    guard isatty(port) == 1 else {
      _ = systemClose(port)
      throw .port(path: path, .notSerial)
    }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // F_OFD_SETLK, which libc's headers show to GNU programs only.
    let isOurs = flock(port, LOCK_EX | LOCK_NB) == 0 && fcntl(port, 37, &lock) == 0
    guard isOurs else {
      _ = systemClose(port)
      throw .port(path: path, .busy)
    }
    return port
  }

  /// The group that may use the port; nil if it has no name, or only root may.
  private static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else { return nil }
    return String(cString: group.pointee.gr_name)
  }

  func flush() { tcflush(descriptor.withLock { $0 }, TCIOFLUSH) }

  /// Throws `readerSilent` if the device has not taken all bytes by `end`, `readerUnplugged`, `readerFailed`.
  func write(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(TransportError) {
    let port = try openPort()
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { systemWrite(port, $0.baseAddress, $0.count) }
      if count > 0 {
        sent += count
      } else if count < 0, errno != EAGAIN, errno != EINTR {
        throw failure(errno)
      } else if ContinuousClock.now >= end {
        throw .readerSilent(name: path)
      } else {
        wait(for: POLLOUT, on: port, until: end)
      }
    }
  }

  /// None if `end` has passed. Throws `cancelled` soon after `isWanted` says no, `readerUnplugged`, `readerFailed`.
  func read(until end: ContinuousClock.Instant, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    let port = try openPort()
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      guard isWanted() else { throw .cancelled }
      let count = systemRead(port, &bytes, bytes.count)
      if count > 0 { return Array(bytes.prefix(count)) }
      if count == 0 { throw .readerUnplugged(name: path) }
      if errno != EAGAIN, errno != EINTR { throw failure(errno) }
      if ContinuousClock.now >= end { return [] }
      wait(for: POLLIN, on: port, until: end)
    }
  }

  func close() {
    descriptor.withLock { port in
      if port >= 0 { _ = systemClose(port) }
      port = -1
    }
  }

  private func openPort() throws(TransportError) -> Int32 {
    let port = descriptor.withLock { $0 }
    guard port >= 0 else { throw .readerFailed(name: path, reason: "it is closed") }
    return port
  }

  private func wait(for event: Int32, on port: Int32, until end: ContinuousClock.Instant) {
    let time = min(max(.zero, ContinuousClock.now.duration(to: end)), Self.step)
    var request = pollfd(fd: port, events: Int16(event), revents: 0)
    // Rounded up, so that the end has passed when a wait of its whole length is over.
    _ = poll(&request, 1, Int32(clamping: Int(saturating: time / .milliseconds(1) + 1)))
  }

  private func failure(_ code: Int32) -> TransportError {
    switch code {
    case EIO, ENODEV, ENXIO: .readerUnplugged(name: path)
    default: .readerFailed(name: path, reason: String(cString: strerror(code)))
    }
  }
}

/// Bytes to and from a device: a `SerialPort`, or a script in a test.
package protocol SerialLine: Sendable {
  typealias Moment = ContinuousClock.Instant
  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError)
  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8]
  func close()
}

extension SerialPort: SerialLine {}
