// SPDX-License-Identifier: Apache-2.0
//
// Reads a sensor through a reader that libre does not know. Here a process answers the frames, as a phone would that
// sends them over a socket; an app for iOS does the same with CoreNFC.
//
//   cd Examples/OwnReader
//   swift run
import LibreKit

/// The far side: gets the bytes of a frame, and has a sensor in its field.
struct Phone {
  /// The memory of the sensor that lies on it.
  let memory: [UInt8]
  let uid: [UInt8] = [0x5E, 0x90, 0x25, 0x00, 0x00, 0xA0, 0x07, 0xE0]

  /// The answer as CoreNFC gives it: data without the flags; nil for a command that the sensor refuses.
  func data(for frame: [UInt8]) -> [UInt8]? {
    guard let request = ISO15693.Request(frame: frame) else { return nil }
    switch request {
    case .inventory: return [0x00] + uid
    case .patchInfo: return [0xDF, 0x00, 0x00, 0x01, 0x02, 0x03]
    case .readBlock, .readBlocks:
      guard let blocks = request.blocks, blocks.upperBound * 8 <= memory.count else { return nil }
      return Array(memory[blocks.lowerBound * 8..<blocks.upperBound * 8])
    case .systemInformation, .readWideBlock, .readWideBlocks: return nil
    }
  }
}

/// The near side: what libre asks for.
struct PhoneReader: TagReader {
  let phone: Phone

  var description: ReaderDescription {
    ReaderDescription(address: "phone:kitchen", name: "phone on the kitchen table", dialect: "socket")
  }

  func waitForTag(within timeout: Duration) async throws(TransportError) {}
  func waitForRemoval() async throws(TransportError) {}
  func close() async {}

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    phone.data(for: request.frame).map(ISO15693.answer) ?? TagError.notSupported.answer
  }
}

/// Readers at `phone:PLACE`, which the program then opens by their address like those of libre.
struct PhoneScheme: ReaderScheme {
  let phones: [String: Phone]
  let scheme = "phone"
  let summary = "a phone in this room"

  func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard let phone = address.rest.flatMap({ phones[$0] }) else { throw .unknownAddress(address.description) }
    return PhoneReader(phone: phone)
  }
}

@main
struct OwnReader {
  static func main() async throws {
    // The memory comes from a dump of the project; a real phone has a sensor.
    let path = CommandLine.arguments.dropFirst().first ?? "../../SensorDumps/libre1/active.hex"
    let dump = try DumpDecoder().decode(contentsOf: path)

    let phone = Phone(memory: dump.memory.bytes)
    let reading = try await SensorReader(on: PhoneReader(phone: phone)).read()
    print("read by \(reading.reader?.name ?? "nothing"): \(reading.history.count + reading.trend.count) samples")
    print(
      "UID \(reading.sensor.uid?.description ?? "unknown"), \(reading.sensor.state), time from the \(reading.readAtSource)"
    )

    // An address may come from a configuration file.
    var catalogue = Catalogue.standard
    catalogue.add(PhoneScheme(phones: ["kitchen": phone]))
    let again = try await SensorReader(at: "phone:kitchen", catalogue: catalogue).read()
    print("read at phone:kitchen: \(again.samples.count) samples")

    // An app that has read the blocks by itself needs no reader.
    let image = MemoryImage(bytes: dump.memory.bytes, uid: reading.sensor.uid, readAt: reading.readAt)
    let decoded = try image.checked().reading(reader: reading.reader)
    print("the same memory gives the same samples: \(decoded.samples == reading.samples)")
  }
}
