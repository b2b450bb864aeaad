// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// A reader of a `PCSCDaemon`: the far end of vpcd's wire, where a card is a connection.
///
/// Each message is a length of two bytes, high byte first, and as many bytes: an APDU, its answer, or one byte of control.
final class VirtualReader: Sendable {
  struct Spec: Sendable {
    /// The name that pcscd gives it, before the numbers that it adds.
    let name: String

    init(name: String) { self.name = name }
  }

  /// The beginning of its name; pcscd adds a reader number and a slot number, and each reader has a second, empty slot.
  let name: String
  private let port: UInt16
  private let namespace: String
  private let connection = Mutex<Int32?>(nil)
  private let cardThread: EmulatorThread

  init(_ spec: Spec, port: UInt16, namespace: String) {
    name = spec.name
    self.port = port
    self.namespace = namespace
    cardThread = EmulatorThread(spec.name)
  }

  /// vpcd listens at a port for each of its two slots.
  static func port(_ index: Int) -> UInt16 { 0x8C7B + 2 * UInt16(index) }

  /// Lays `card` on the reader, in place of the one that is there. pcscd looks for it every 400 ms.
  func insert(_ card: VirtualCard) async throws {
    remove()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      // A thread, because a thread is what can be in another network namespace.
      Thread.detachNewThread { [self] in
        let descriptor: Int32
        do {
          descriptor = try connected()
        } catch {
          continuation.resume(throwing: error)
          return
        }
        // Before the caller goes on, who may remove the card at once.
        connection.withLock { $0 = descriptor }
        continuation.resume()
        serve(card, on: descriptor)
        leave(descriptor)
      }
    }
  }

  /// Takes the card away, if there is one.
  func remove() {
    connection.withLock { if let descriptor = $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }

  private func leave(_ descriptor: Int32) {
    connection.withLock { if $0 == descriptor { $0 = nil } }
    close(descriptor)
  }

  // MARK: The connection

  private func connected() throws -> Int32 {
    let descriptor = try socketInNamespace()
    try raiseLoopback(descriptor)
    set(TCP_NODELAY, on: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let status = withUnsafeBytes(of: &address) { bytes in
      connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    }
    guard status == 0 else {
      defer { close(descriptor) }
      throw PCSCDaemon.Failure(reason: "vpcd cannot be reached: \(String(cString: strerror(errno)))")
    }
    return descriptor
  }

  /// A socket stays in the namespace in which it was made. The thread goes back at once: threads that it starts, as by
  /// resuming a task, would begin where it is, and other tests' connections would come from there.
  private func socketInNamespace() throws -> Int32 {
    let own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    let other = open(namespace, O_RDONLY | O_CLOEXEC)
    defer {
      close(own)
      close(other)
    }
    try enter(other)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try enter(own)
    return descriptor
  }

  /// Glibc's module does not show setns, which is Linux's own.
  private func enter(_ namespace: Int32) throws {
    typealias SetNS = @convention(c) (Int32, Int32) -> Int32
    guard let setns = dlsym(nil, "setns").map({ unsafeBitCast($0, to: SetNS.self) }) else {
      throw PCSCDaemon.Failure(reason: "there is no setns")
    }
    guard setns(namespace, 0) == 0 else {
      throw PCSCDaemon.Failure(reason: "no other network namespace: \(String(cString: strerror(errno)))")
    }
  }

  /// The loopback interface of a new namespace is down.
  private func raiseLoopback(_ descriptor: Int32) throws {
    var request = ifreq()
    withUnsafeMutableBytes(of: &request) { $0.copyBytes(from: "lo".utf8) }
    request.ifr_ifru.ifru_flags = Int16(IFF_UP | IFF_RUNNING)
    guard ioctl(descriptor, UInt(SIOCSIFFLAGS), &request) == 0 else {
      throw PCSCDaemon.Failure(reason: "no loopback: \(String(cString: strerror(errno)))")
    }
  }

  private func set(_ option: Int32, on descriptor: Int32) {
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), option, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  // MARK: The conversation

  private func serve(_ card: VirtualCard, on descriptor: Int32) {
    while let message = receive(from: descriptor) {
      switch message {
      case [0], [1], [2]: wait { await card.power(message[0] != 0) }
      case [4]: guard send(card.atr, to: descriptor) else { return }
      default:
        switch wait({ await card.reaction(to: message) }) {
        case .answer(let answer): guard send(answer, to: descriptor) else { return }
        case .silence: continue
        case .departure: return
        }
      }
    }
  }

  /// Brings a card's answer to this thread.
  @discardableResult private func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let value = Mutex<Value?>(nil)
    Task.detached(executorPreference: cardThread) {
      let result = await work()
      value.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return value.withLock { $0! }
  }

  private func receive(from descriptor: Int32) -> [UInt8]? {
    guard let length = receive(2, from: descriptor) else { return nil }
    return receive(Int(length[0]) << 8 | Int(length[1]), from: descriptor)
  }

  private func receive(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var chunk = [UInt8](repeating: 0, count: count - bytes.count)
      // vpcd sends length and message apart, and waits 40 ms for a delayed acknowledgement between them.
      set(TCP_QUICKACK, on: descriptor)
      let received = recv(descriptor, &chunk, chunk.count, 0)
      guard received > 0 else { return nil }
      bytes += chunk.prefix(received)
    }
    return bytes
  }

  private func send(_ message: [UInt8], to descriptor: Int32) -> Bool {
    let bytes = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
