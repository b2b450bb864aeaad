// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import Glibc

  /// The serial port that libnfc is to use. libnfc does not report problems of a port, and glibc drops libnfc's own
  /// flag for a port in use (run: bit 31 of the input modes never reaches the kernel), so two programs would mix up
  /// their bytes.
  struct LibNFCPort: Sendable {
    let path: String

    /// False once the device is unplugged.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Locks the port for this program, as far as others use the same lock (flock: libre, picocom, tio); sends nothing.
    ///
    /// Returns a descriptor that must be closed after libnfc has closed the port.
    ///
    /// - Throws: `readerFailed` with the problem, `accessDenied`, `readerBusy`, with `connstring` as the reader's name.
    func lock(for connstring: String) throws(TransportError) -> Int32 {
      let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        switch errno {
        case ENOENT: throw .readerFailed(name: connstring, reason: "\(path) does not exist")
        case EACCES, EPERM: throw .accessDenied
        case EBUSY: throw .readerBusy(name: connstring)
        case let code: throw .readerFailed(name: connstring, reason: String(cString: strerror(code)))
        }
      }
      if isatty(descriptor) == 0 {
        close(descriptor)
        throw .readerFailed(name: connstring, reason: "\(path) is not a serial port")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        close(descriptor)
        throw .readerBusy(name: connstring)
      }
      return descriptor
    }
  }
#endif
