// SPDX-License-Identifier: Apache-2.0
import CGMModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain name is its own.
private let systemClose = close

/// A serial port that this program has for itself: raw bytes, 115 200 baud (over USB the number has no meaning). Its
/// functions block, so they belong on the reader's thread.
final class SerialPort: SerialLine {
  private let line: DescriptorLine

  /// Locks the port and drops the bytes that are waiting in it. Throws `port` with what is wrong with it,
  /// `readerFailed`.
  init(_ path: String) throws(TransportError) {
    let port = try Self.claim(path)
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
    tcflush(port, TCIOFLUSH)
    line = DescriptorLine(port, name: path)
  }

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

  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError) { try line.write(bytes, until: end) }

  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    try line.read(until: end, while: isWanted)
  }

  func close() { line.close() }
}
