// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Bytes to and from a device: a serial port, a connection, or a script in a test.
package protocol SerialLine: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// Throws `readerSilent` if the device has not taken all bytes by `end`, `readerUnplugged`, `readerFailed`.
  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError)

  /// Returns no bytes if `end` has passed. Throws `cancelled` soon after `isWanted` says no, `readerUnplugged`,
  /// `readerFailed`.
  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8]
  func close()
}

/// A line of the system, whose faults are those of a reader.
struct DeviceLine: SerialLine {
  private let line: DescriptorLine
  /// The reader's name in errors.
  private let name: String

  init(_ line: DescriptorLine, name: String) { (self.line, self.name) = (line, name) }

  /// Opens a serial port. Throws `port` with what is wrong with it, `readerFailed`.
  init(port path: String) throws(TransportError) {
    do { self.init(try SerialPort.open(path), name: path) } catch { throw TransportError(error, path) }
  }

  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError) {
    do { try line.write(bytes, until: end) } catch { throw TransportError(error, name) }
  }

  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    do { return try line.read(until: end, while: isWanted) } catch { throw TransportError(error, name) }
  }

  func close() { line.close() }
}

extension TransportError {
  init(_ fault: DeviceFault, _ name: String) {
    self =
      switch fault {
      case .missing: .port(path: name, .missing)
      case .denied(let group): .port(path: name, .denied(group: group))
      case .busy: .port(path: name, .busy)
      case .notSerial: .port(path: name, .notSerial)
      case .silent: .readerSilent(name: name)
      case .gone: .readerUnplugged(name: name)
      case .unwanted: .cancelled
      case .failed(let reason): .readerFailed(name: name, reason: reason)
      }
  }
}
