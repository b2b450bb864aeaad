// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Glibc
import Libre1Core
import NFCTransport
import TestSupport

/// Plugs emulated readers into the machine on which it runs, as USB devices, and does with them what a person would.
///
///     GuestDevices SOCKET
///
/// It needs root, configfs and the kernel's `dummy_hcd`, and answers each line that it is sent on the socket with one line,
/// `ok`, `ok` and a status as JSON, or `error` and a reason:
///
///     plug PRODUCT PORT
///     unplug PORT
///     tag PORT SCENARIO:SEED [EXCHANGE=removal|hang]…
///     untag PORT
///     status PORT
@main
enum GuestDevices {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else { throw File.Failure(description: "usage: GuestDevices SOCKET") }
    signal(SIGPIPE, SIG_IGN)
    let listener = try listen(at: CommandLine.arguments[1])
    var person = Person()
    while true {
      let client = accept(listener, nil, nil)
      if client < 0 { continue }
      let stream = fdopen(client, "r+")
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      while getline(&line, &capacity, stream) > 0, let line {
        let words = String(cString: line).split(whereSeparator: \.isWhitespace).map(String.init)
        var answer: String
        do { answer = try "ok \(person.obey(words))" } catch { answer = "error \(error)" }
        answer += "\n"
        _ = write(client, answer, answer.utf8.count)
      }
      free(line)
      fclose(stream)
    }
  }

  private static func listen(at path: String) throws -> Int32 {
    unlink(path)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafeBytes(of: &address) { bytes in
      bind(listener, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    }
    try File.check(status, path)
    try File.check(Glibc.listen(listener, 8), path)
    return listener
  }
}

/// What is plugged in, by port.
private struct Person {
  private var devices: [Int: any GuestDevice] = [:]

  mutating func obey(_ words: [String]) throws -> String {
    func word(_ index: Int) throws -> String {
      guard words.indices.contains(index) else { throw File.Failure(description: "too few words") }
      return words[index]
    }
    func number(_ index: Int) throws -> Int {
      guard let number = Int(try word(index)) else {
        throw File.Failure(description: "'\(words[index])' is not a port")
      }
      return number
    }
    func device() throws -> any GuestDevice {
      guard let device = devices[try number(1)] else { throw File.Failure(description: "nothing is plugged in there") }
      return device
    }
    switch try word(0) {
    case "plug":
      guard let product = Product.all.first(where: { $0.name == words[1] }) else {
        throw File.Failure(description: "no product is called '\(words[1])'")
      }
      devices[try number(2)] = try product.plugged(into: try number(2))
      return ""
    case "unplug":
      try device().unplug()
      devices[try number(1)] = nil
      return ""
    case "tag":
      let faults = try words.dropFirst(3).map { try GuestFault.numbered($0) }
      let tag = try GuestTag(try word(2))
      try device().lay(tag, faults: Dictionary(faults) { _, last in last })
      return ""
    case "untag":
      try device().take()
      return ""
    case "status": return try device().status().description
    default: throw File.Failure(description: "no command is called '\(words[0])'")
    }
  }
}

/// A device that is plugged in.
protocol GuestDevice: Sendable {
  func unplug()
  /// Lays a tag on the device. Faults are numbered like the exchanges with it, from 1.
  func lay(_ tag: GuestTag, faults: [Int: GuestFault]) throws
  func take()
  func status() -> GuestStatus
}

extension Product {
  func plugged(into port: Int) throws -> any GuestDevice {
    switch kind {
    case .smartCard(let interfaces): try CardReader(self, interfaces, port: port)
    case .proxmark: try SerialDevice(self, .proxmark(ProxmarkEmulator()), port: port)
    case .flipper: try SerialDevice(self, .flipper(FlipperOnPort(FlipperEmulator())), port: port)
    }
  }
}

/// A sensor of the simulator: `SCENARIO:SEED`, or `active:SEED:AGE` with its age in minutes.
struct GuestTag: Sendable {
  let image: MemoryImage
  let uid: SensorUID

  init(_ text: String) throws {
    let parts = text.split(separator: ":")
    guard let scenario = Scenario.named(String(parts[0])), (2...3).contains(parts.count), let seed = UInt64(parts[1])
    else {
      throw File.Failure(description: "'\(text)' is not a scenario and a seed")
    }
    let age = parts.count == 3 ? Int(parts[2]) : nil
    image = age.map { SimulatedSensor(seed: seed).image(atAge: $0) } ?? scenario.image(seed: seed)
    guard let uid = image.uid else { throw File.Failure(description: "the scenario '\(text)' has no UID") }
    self.uid = uid
  }

  var simulated: SimulatedTag { SimulatedTag(memory: image.bytes, uid: uid, patchInfo: image.patchInfo) }
}

/// A fault that replaces one exchange with a tag.
enum GuestFault: String, Sendable {
  case removal, hang

  /// `17=removal`.
  static func numbered(_ text: String) throws -> (Int, GuestFault) {
    let parts = text.split(separator: "=")
    guard parts.count == 2, let number = Int(parts[0]), let fault = GuestFault(rawValue: String(parts[1])) else {
      throw File.Failure(description: "'\(text)' is not a fault")
    }
    return (number, fault)
  }
}

struct GuestStatus: CustomStringConvertible {
  /// Exchanges with the tag.
  let exchanges: Int
  /// Bytes that came over a serial line.
  var received = 0
  let hangs: Bool
  let hasTag: Bool
  /// The host knows whether a tag is there. A serial device has no way to tell it.
  var isNoticed = true

  var description: String {
    #"{"exchanges": \#(exchanges), "received": \#(received), "hangs": \#(hangs), "tag": \#(hasTag), "noticed": \#(isNoticed)}"#
  }
}
