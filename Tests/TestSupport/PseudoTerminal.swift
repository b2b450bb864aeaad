// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import Testing

/// A serial port without hardware: what a program writes to `path` comes out here.
package final class PseudoTerminal: Sendable {
  package let path: String
  /// The bytes that the program at the other end sends; ends when the port is pulled out.
  package let received: AsyncStream<[UInt8]>
  private let line: Mutex<Line?>

  private struct Line {
    let master: Int32
    let input: any DispatchSourceRead
  }

  package init() throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&master, &slave, &name, nil, nil) == 0)
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    // Without blocking: an answer that is never read must not stop the device.
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)

    let (received, sink) = AsyncStream.makeStream(of: [UInt8].self)
    self.received = received
    let input = DispatchSource.makeReadSource(fileDescriptor: master, queue: DispatchQueue(label: path))
    input.setEventHandler { [master] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &buffer, buffer.count)
      if count > 0 { sink.yield(Array(buffer.prefix(count))) }
    }
    // The slave stays open here, or else the port would be gone between two programs that use it.
    input.setCancelHandler { [master, slave] in
      sink.finish()
      Glibc.close(slave)
      Glibc.close(master)
    }
    input.activate()
    line = Mutex(Line(master: master, input: input))
  }

  deinit { unplug() }

  package func write(_ bytes: [UInt8]) {
    line.withLock { line in
      guard let line else { return }
      _ = Glibc.write(line.master, bytes, bytes.count)
    }
  }

  /// The port vanishes, as when its plug is pulled. May be called twice.
  package func unplug() {
    line.withLock { line in
      line?.input.cancel()
      line = nil
    }
  }
}
