// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization

/// One interface of a USB device, whose endpoints are files (the kernel's FunctionFS): 1 bulk in, 2 bulk out, and 3
/// interrupt in for an interface that has it.
final class FunctionFS: Sendable {
  let name: String
  private let path: String
  private let control: Int32
  private let endpoints: [Int32]
  private let threads = DispatchGroup()
  private let received: @Sendable ([UInt8]) -> [UInt8]?
  private let notices: AsyncQueue?

  /// `received` is called with what a host sends, and returns what it is sent; nil for nothing. `started` is called whenever
  /// a host has configured the device.
  init(
    _ name: String, _ interface: CCIDInterface, started: @escaping @Sendable () -> Void,
    received: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) throws {
    self.name = name
    self.received = received
    let path = "/run/guest-devices/\(name)"
    self.path = path
    _ = mkdir("/run/guest-devices", 0o755)
    _ = mkdir(path, 0o755)
    try File.check(mount(name, path, "functionfs", 0, nil), "mount \(path)")
    let control = try File.open("\(path)/ep0")
    self.control = control
    for block in [Self.descriptors(interface), Self.strings(interface)] {
      try File.check(Int32(write(control, block, block.count)), path)
    }
    // Without blocking: a transfer to a host that has not configured the device fails at once.
    let count = interface.reportsChanges ? 3 : 2
    let endpoints = try (1...count).map { try File.open("\(path)/ep\($0)", O_RDWR | O_NONBLOCK) }
    self.endpoints = endpoints
    notices = interface.reportsChanges ? AsyncQueue { _ = write(endpoints[2], $0, $0.count) } : nil
    Thread.start(in: threads) { [self] in followEvents(started) }
  }

  /// Sends a notice of the interrupt endpoint, once the host asks for it.
  func notify(_ bytes: [UInt8]) { notices?.put(bytes) }

  /// Ends everything, after the device was disconnected.
  func close() {
    notices?.end()
    threads.wait()
    for descriptor in endpoints + [control] { Glibc.close(descriptor) }
    umount(path)
    rmdir(path)
  }

  // MARK: Threads

  /// The events of the control endpoint, up to the one that says that the device is disconnected.
  private func followEvents(_ started: @Sendable () -> Void) {
    var event = [UInt8](repeating: 0, count: 12)
    while read(control, &event, event.count) == event.count {
      switch event[8] {
      case 1: return
      case 2:
        started()
        Thread.start(in: threads) { [self] in serve() }
      // Requests of the class, of which libccid needs none: a transfer in the other direction refuses it.
      case 4: _ = event[0] & 0x80 != 0 ? read(control, nil, 0) : write(control, nil, 0)
      default: break
      }
    }
  }

  /// One message after the other, until the endpoint is disabled.
  private func serve() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var message: [UInt8] = []
    while true {
      let count = read(endpoints[1], &buffer, buffer.count)
      guard count >= 0 else { return }
      message += buffer.prefix(count)
      // Ten bytes, of which four are the length of the rest.
      guard message.count >= 10, message.count >= 10 + (Int(message[1]) | Int(message[2]) << 8) else { continue }
      if let answer = received(message), write(endpoints[0], answer, answer.count) < 0 { return }
      message = []
    }
  }

  // MARK: Descriptors

  private static func descriptors(_ interface: CCIDInterface) -> [UInt8] {
    let endpointCount: UInt8 = interface.reportsChanges ? 3 : 2
    let head = [9, 4, 0, 0, endpointCount, 0x0B, 0, 0, interface.title == nil ? 0 : 1] + ccid(interface)
    func speed(_ longestPacket: UInt16, _ interval: UInt8) -> [UInt8] {
      head + [7, 5, 0x81, 2] + longestPacket.littleEndianBytes + [0] + [7, 5, 0x02, 2] + longestPacket.littleEndianBytes
        + [0]
        + (interface.reportsChanges ? [7, 5, 0x83, 3, 16, 0, interval] : [])
    }
    let speeds = speed(64, 16) + speed(512, 8)
    let count = UInt32(endpointCount) + 2
    // Version 2, for full and high speed.
    let header: [UInt32] = [3, UInt32(20 + speeds.count), 3, count, count]
    return header.flatMap(\.littleEndianBytes) + speeds
  }

  /// The class descriptor (CCID 1.10, 5.1).
  private static func ccid(_ interface: CCIDInterface) -> [UInt8] {
    var bytes: [UInt8] = [54, 0x21, 0x10, 0x01, interface.slots - 1, 7]
    // Protocols, clocks, number of clocks; rates, number of rates; IFSD, synchronous protocols, mechanics.
    bytes += [3, 4000, 4000].flatMap { (number: UInt32) in number.littleEndianBytes } + [0]
    bytes += [10_752, 250_000].flatMap { (number: UInt32) in number.littleEndianBytes } + [0]
    bytes += [254, 0, 0, interface.features, interface.longest].flatMap { (number: UInt32) in number.littleEndianBytes }
    return bytes + [0xFF, 0xFF, 0, 0, 0, 1]
  }

  private static func strings(_ interface: CCIDInterface) -> [UInt8] {
    guard let title = interface.title else {
      return [UInt32(2), 16, 0, 0].flatMap(\.littleEndianBytes)
    }
    let text = UInt16(0x0409).littleEndianBytes + Array(title.utf8) + [0]
    return [2, UInt32(16 + text.count), 1, 1].flatMap(\.littleEndianBytes) + text
  }
}

/// A thread that writes what it is given, in order. A transfer may take until the host asks.
final class AsyncQueue: Sendable {
  private let state = Mutex<(waiting: [[UInt8]], isOver: Bool)>(([], false))
  private let filled = DispatchSemaphore(value: 0)
  private let done = DispatchGroup()

  init(_ write: @escaping @Sendable ([UInt8]) -> Void) {
    Thread.start(in: done) { [self] in
      while true {
        filled.wait()
        let next = state.withLock { state -> [UInt8]? in
          state.isOver || state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        guard let next else { return }
        write(next)
      }
    }
  }

  func put(_ bytes: [UInt8]) {
    state.withLock { $0.waiting.append(bytes) }
    filled.signal()
  }

  func end() {
    state.withLock { $0.isOver = true }
    filled.signal()
    done.wait()
  }
}

/// A thread by itself: blocking reads must not take those of a pool.
enum Thread {
  static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "guest-devices").async(group: group, execute: body)
  }
}
