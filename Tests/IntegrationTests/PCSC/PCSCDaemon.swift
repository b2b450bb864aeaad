// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A real pcscd with virtual readers, in network and mount namespaces of its own: any number can run at once, and the
/// machine's own daemon, its socket and its ports are never touched. It ends with `run`, and with the test process.
final class PCSCDaemon: Sendable {
  /// Where PC/SC clients find it; what is below /proc/PID/root is seen with the daemon's mounts.
  var socket: String { "/proc/\(pid)/root/run/pcscd/pcscd.comm" }

  /// The environment that a client needs. libpcsclite reads it once in a process, at its first call.
  var environment: [String: String] { ["PCSCLITE_CSOCK_NAME": socket] }

  /// Its virtual readers, in the order of their specifications.
  let readers: [VirtualReader]

  private let pid: Int32
  private let process: Process
  /// Its far end is the shell's standard input; when it closes, for whatever reason, the shell kills the daemon.
  private let lifeline: Pipe
  private let directory: TemporaryDirectory

  func reader(_ index: Int) -> VirtualReader { readers[index] }

  /// Starts a daemon with these readers, hands it to `body`, and ends it.
  ///
  /// Without `log` it writes only errors to its log, which is quicker; then `count` and `waitsUntil` are of no use.
  @discardableResult static func run<Value>(
    readers specs: [VirtualReader.Spec], log: Bool = true, _ body: (PCSCDaemon) async throws -> Value
  ) async throws -> Value {
    if let unavailable { throw Failure(reason: unavailable) }
    let daemon = try PCSCDaemon(specs, log: log)
    do {
      try await daemon.becomesReady()
      let value = try await body(daemon)
      daemon.kill()
      return value
    } catch {
      daemon.kill()
      throw error
    }
  }

  /// The same for clients in the test process itself. Only one such daemon can be there at a time: tests that use it belong
  /// in `PCSCTests`, which is serialized.
  @discardableResult static func runForThisProcess<Value>(
    readers specs: [VirtualReader.Spec], log: Bool = true, _ body: (PCSCDaemon) async throws -> Value
  ) async throws -> Value {
    try await run(readers: specs, log: log) { daemon in
      try leadThisProcess(to: daemon.socket)
      defer { try? leadThisProcess(to: nil) }
      return try await body(daemon)
    }
  }

  /// Leads the clients in the test process to this socket, or to none.
  ///
  /// libpcsclite keeps the name that it finds first, so the name stays and is a link that comes and goes.
  static func leadThisProcess(to socket: String?) throws {
    try? FileManager.default.removeItem(atPath: link)
    if let socket { try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: socket) }
  }

  private static let link = {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pcscd-of-\(getpid())").path
    setenv("PCSCLITE_CSOCK_NAME", path, 1)
    return path
  }()

  /// As abruptly as a crash would: clients find their connections closed and the socket gone. Returns when the daemon has
  /// ended.
  func kill() {
    try? lifeline.fileHandleForWriting.close()
    process.waitUntilExit()
    for reader in readers { reader.remove() }
  }

  // MARK: Events

  /// What the daemon logs of its clients and its readers (pcscd 1.9.9).
  enum Event: String {
    /// A client waits for a change of the readers. A wait of `libre` begins with a look that ends at once, so that the
    /// second of these is the first one that lasts.
    case wait = "Received command: CMD_WAIT_READER_STATE_CHANGE"
    case cancellation = "Received command: CANCEL"
    case insertion = "Card inserted into"
    /// The daemon looks for cards every 444 ms. Unless it has seen that the old card is gone it takes the next one for
    /// the old one, and its clients may see no card at all.
    case removal = "Card Removed From"
  }

  /// The number of times this has been logged.
  func count(of event: Event) throws -> Int {
    try String(contentsOf: logFile, encoding: .utf8).components(separatedBy: event.rawValue).count - 1
  }

  func waitsUntil(_ event: Event, wasSeen count: Int) async throws {
    try await eventually("\(count) times \"\(event.rawValue)\" in pcscd's log") { () async throws in
      try self.count(of: event) >= count
    }
  }

  private var logFile: URL { directory.url.appendingPathComponent("log") }

  // MARK: Starting

  private init(_ specs: [VirtualReader.Spec], log: Bool) throws {
    directory = try TemporaryDirectory()
    let configuration = directory.url.appendingPathComponent("conf", isDirectory: true)
    try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
    for (index, spec) in specs.enumerated() {
      // A loaded driver has one state for all readers that use it, so each reader gets a copy.
      let driver = directory.url.appendingPathComponent("vpcd\(index).so")
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: Self.driver).resolvingSymlinksInPath(), to: driver)
      let channel = "0x" + String(VirtualReader.port(index), radix: 16, uppercase: true)
      try """
      FRIENDLYNAME "\(spec.name)"
      DEVICENAME /dev/null:\(channel)
      LIBPATH \(driver.path)
      CHANNELID \(channel)

      """.write(to: configuration.appendingPathComponent("reader\(index)"), atomically: true, encoding: .utf8)
    }
    let logFile = directory.url.appendingPathComponent("log")
    try Data().write(to: logFile)

    process = Process()
    lifeline = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.unshare)
    process.arguments =
      Self.namespaces + [
        "/bin/sh", "-c",
        """
        mount -t tmpfs tmpfs /run && mkdir /run/pcscd || exit 1
        \(Self.program) --foreground \(log ? "--debug" : "") --config "$1" &
        read -r _
        kill -KILL $!
        # Until then its connections are open, and a client may still write to them.
        wait $!
        exit 0
        """, "sh", configuration.path,
      ]
    process.standardInput = lifeline
    process.standardOutput = try FileHandle(forWritingTo: logFile)
    process.standardError = process.standardOutput
    try process.run()
    pid = process.processIdentifier
    let namespace = "/proc/\(pid)/ns/net"
    readers = specs.enumerated().map { VirtualReader($1, port: VirtualReader.port($0), namespace: namespace) }
  }

  private func becomesReady() async throws {
    try await eventually("pcscd accepts clients") { () async throws in
      guard self.process.isRunning else {
        let log = try? String(contentsOf: self.logFile, encoding: .utf8)
        throw Failure(reason: "pcscd did not start: \(log ?? "")")
      }
      return Self.accepts(self.socket)
    }
  }

  private static func accepts(_ path: String) -> Bool {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafeBytes(of: &address) { bytes in
      connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
    }
  }

  // MARK: What it needs

  private static let program = "/usr/sbin/pcscd"
  private static let driver = "/usr/lib/pcsc/drivers/serial/libifdvpcd.so"
  private static let unshare = "/usr/bin/unshare"
  private static let namespaces = ["--net", "--mount", "--propagation", "private"]

  struct Failure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }

  /// Why there can be no such daemon here; nil if there can.
  static let unavailable: String? = {
    for (path, package) in [(program, "pcscd"), (driver, "vsmartcard-vpcd"), (unshare, "util-linux")]
    where !FileManager.default.fileExists(atPath: path) {
      return "\(path) is missing: sudo apt install \(package)"
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: unshare)
    process.arguments = namespaces + ["/bin/sh", "-c", "mount -t tmpfs tmpfs /run"]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : "namespaces of its own are refused: run the tests as root"
  }()
}

extension Trait where Self == ConditionTrait {
  /// The test is skipped, with the reason, where no pcscd can be started; in CI it fails there instead.
  static var needsPCSCDaemon: Self {
    .enabled(
      if: PCSCDaemon.unavailable == nil || Installed.isCI,
      Comment(rawValue: PCSCDaemon.unavailable ?? "pcscd can be started"))
  }
}
