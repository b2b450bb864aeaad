// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Inside the type below, the plain name is its own.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

/// A serial port that this program has for itself: raw bytes, 115 200 baud (over USB the number has no meaning).
package enum SerialPort {
  /// Locks the port and drops the bytes that are waiting in it.
  package static func open(_ path: String) throws(DeviceFault) -> DescriptorLine {
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
      _ = close(port)
      throw .failed(reason: reason)
    }
    tcflush(port, TCIOFLUSH)
    return DescriptorLine(port)
  }

  /// Returns a descriptor to be closed by the caller, and sends nothing.
  ///
  /// Two locks, because programs ask for one or the other: `flock` (picocom, tio) and `fcntl` (the Proxmark3 client).
  /// The second is the kind that belongs to the descriptor, so that it also keeps out this program itself.
  package static func claim(_ path: String) throws(DeviceFault) -> Int32 {
    let port = systemOpen(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard port >= 0 else {
      switch errno {
      case ENOENT, ENXIO, ENODEV: throw .missing
      case EACCES, EPERM: throw .denied(group: group(of: path))
      case EBUSY: throw .busy
      case let code: throw DeviceFault(code)
      }
    }
    guard isatty(port) == 1 else {
      _ = close(port)
      throw .notSerial
    }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // F_OFD_SETLK, which libc's headers show to GNU programs only.
    let isOurs = flock(port, LOCK_EX | LOCK_NB) == 0 && fcntl(port, 37, &lock) == 0
    guard isOurs else {
      _ = close(port)
      throw .busy
    }
    return port
  }

  /// The group that may use the port; nil if it has no name, or only root may.
  private static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else { return nil }
    return String(cString: group.pointee.gr_name)
  }
}
