// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Dispatch
import Glibc
import Synchronization
import TestSupport

/// A USB serial port, behind which an emulator is at the end of a pseudo-terminal.
final class SerialDevice: GuestDevice {
  enum Emulator: Sendable {
    case proxmark(ProxmarkEmulator)
    case flipper(FlipperOnPort)

    var port: PseudoTerminal {
      switch self {
      case .proxmark(let emulator): emulator.port
      case .flipper(let emulator): emulator.port
      }
    }
  }

  private let gadget: USBGadget
  private let emulator: Emulator
  private let line: Int32
  private let terminal: Int32
  /// Closed to end the relay.
  private let stop: (read: Int32, write: Int32)
  private let relay = DispatchGroup()
  private let hasTag = Mutex(false)
  private let received = Mutex(0)

  init(_ product: Product, _ emulator: Emulator, port: Int) throws {
    self.emulator = emulator
    let function = "acm.port\(port)"
    gadget = try USBGadget(product, port: port, functions: [function])
    line = try Self.rawTerminal("/dev/ttyGS\(try gadget.attribute("port_num", of: function))")
    terminal = try Self.rawTerminal(emulator.port.path)
    var ends: [Int32] = [0, 0]
    try File.check(pipe(&ends), "pipe")
    stop = (ends[0], ends[1])
    try gadget.connect()
    Thread.start(in: relay) { [self] in carry() }
  }

  func unplug() {
    close(stop.write)
    relay.wait()
    for descriptor in [line, terminal, stop.read] { close(descriptor) }
    gadget.disconnect()
    gadget.remove()
    emulator.port.unplug()
  }

  func lay(_ tag: GuestTag, faults: [Int: GuestFault]) throws {
    waited { [emulator] in
      switch emulator {
      case .proxmark(let proxmark):
        await proxmark.put(tag.simulated)
        for (number, fault) in faults {
          switch fault {
          case .hang: await proxmark.spoil(number, with: .hang)
          case .removal: await proxmark.after(number, put: nil)
          }
        }
      case .flipper(let flipper):
        await flipper.change { flipper in
          flipper.tag = FlipperEmulator.Tag(
            memory: tag.image.bytes, uid: tag.uid.bytes, patchInfo: tag.image.patchInfo?.bytes ?? [])
          let sent = flipper.frameCount
          for (number, fault) in faults {
            switch fault {
            case .hang: flipper.faults[sent + number] = .hang
            case .removal: flipper.absences.append(sent + number..<Int.max)
            }
          }
        }
      }
    }
    hasTag.withLock { $0 = true }
  }

  func take() {
    waited { [emulator] in
      switch emulator {
      case .proxmark(let proxmark): await proxmark.put(nil)
      case .flipper(let flipper): await flipper.change { $0.tag = nil }
      }
    }
    hasTag.withLock { $0 = false }
  }

  func status() -> GuestStatus {
    let exchanges = waited { [emulator] in
      switch emulator {
      case .proxmark(let proxmark): await proxmark.exchangeCount
      case .flipper(let flipper): await flipper.flipper.frameCount
      }
    }
    return GuestStatus(
      exchanges: exchanges, received: received.withLock { $0 }, hangs: false, hasTag: hasTag.withLock { $0 })
  }

  // MARK: The relay

  private func carry() {
    var polled = [line, terminal, stop.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while poll(&polled, 3, -1) > 0 || errno == EINTR {
      if polled[2].revents != 0 { return }
      for (from, to) in [(0, terminal), (1, line)] where polled[from].revents != 0 {
        let count = read(polled[from].fd, &buffer, buffer.count)
        if from == 0, count > 0 { received.withLock { $0 += count } }
        // An emulator that has pulled its plug, or a line that is gone, stays silent from then on.
        if count <= 0 { polled[from].fd = -1 } else { _ = write(to, buffer, count) }
      }
    }
  }

  private static func rawTerminal(_ path: String) throws -> Int32 {
    let descriptor = try File.open(path, O_RDWR | O_NOCTTY)
    var settings = termios()
    tcgetattr(descriptor, &settings)
    cfmakeraw(&settings)
    tcsetattr(descriptor, TCSANOW, &settings)
    return descriptor
  }
}

/// Brings the result of an emulator's work to this thread.
func waited<Value: Sendable>(
  on thread: EmulatorThread? = nil, _ work: @escaping @Sendable () async -> Value
) -> Value {
  let done = DispatchSemaphore(value: 0)
  let value = Mutex<Value?>(nil)
  Task.detached(executorPreference: thread) {
    let result = await work()
    value.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  return value.withLock { $0! }
}
