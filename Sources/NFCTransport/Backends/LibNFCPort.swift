// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import Glibc

  /// The serial port that libnfc is to use. libnfc does not say what is wrong with one, and its own mark on a port in
  /// use is lost in glibc (run: bit 31 of the input modes never reaches the kernel), so two programs would mix up their
  /// bytes.
  struct LibNFCPort: Sendable {
    let path: String

    /// False once the device is unplugged.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Takes the port for this program, as far as others ask for the same lock (flock: libre, picocom, tio); nothing is
    /// sent.
    ///
    /// Returns a descriptor to be closed when libnfc has closed the port. Throws `readerFailed` with what is wrong with
    /// it, `accessDenied`, `readerBusy`, in the name of `connstring`.
    func claim(for connstring: String) throws(TransportError) -> Int32 {
      let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        switch errno {
        case ENOENT: throw .readerFailed(name: connstring, reason: "there is no \(path)")
        case EACCES, EPERM: throw .accessDenied
        case EBUSY: throw .readerBusy(name: connstring)
        case let code: throw .readerFailed(name: connstring, reason: String(cString: strerror(code)))
        }
      }
      if isatty(descriptor) == 0 {
        close(descriptor)
        throw .readerFailed(name: connstring, reason: "\(path) is no serial port")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        close(descriptor)
        throw .readerBusy(name: connstring)
      }
      return descriptor
    }
  }
#endif
