// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
import NFCTransport
import SensorSimulator
import Testing

struct SensorReaderTests {
  /// What a dump of the same memory gives, or why it gives nothing.
  private func dumped(_ image: MemoryImage) -> Result<SensorReading, LibreError> {
    var options = DecodeOptions()
    options.uid = image.uid
    options.patchInfo = image.patchInfo
    do {
      return .success(try DumpDecoder(options: options).decode(image.bytes))
    } catch {
      return .failure(error)
    }
  }

  @Test("reads over the air what a dump of the same memory says", arguments: Scenario.all.map(\.name))
  func sameAsDump(name: String) async throws {
    let image = try #require(Scenario.named(name)).image(seed: 7)
    let read: SensorReading
    do {
      read = try await SensorReader(at: "sim:\(name):7").read()
    } catch {
      // Blank bytes come back as the family's refusal or as blank; what counts is that both doors say the same.
      #expect(dumped(image) == .failure(error), "\(error)")
      return
    }
    let dump = try dumped(image).get()
    #expect(read.history.map(\.raw) == dump.history.map(\.raw))
    #expect(read.trend.map(\.raw) == dump.trend.map(\.raw))
    #expect(read.samples.map(\.id) == dump.samples.map(\.id))
    #expect(read.samples.map(\.concentration) == dump.samples.map(\.concentration))
    #expect(read.sensor.state == dump.sensor.state)
    #expect(read.sensor.uid == image.uid && read.sensor.patchInfo == image.patchInfo)
    #expect(read.integrity == dump.integrity)
    #expect(read.current == dump.current)
  }

  @Test("dates a reading by this computer's clock, and names the reader")
  func clock() async throws {
    let reading = try await SensorReader(at: "sim:active:7").read()
    #expect(reading.readAtSource == .clock)
    let readAt = try #require(reading.readAt)
    // After the day on which this test was written.
    #expect(readAt.secondsSince1970 > 1_760_000_000)
    #expect(reading.sensor.activatedAt == readAt.adding(minutes: -reading.sensor.ageMinutes))
    #expect(reading.reader?.address == "sim:active:7")
    #expect(reading.source.path == nil && reading.source.format == nil)
    #expect(reading.source.sha256.count == 64)
  }

  @Test("refuses an address of no reader when it is made", arguments: ["", "usb", "sim:", "sim", "nfc", "pcsc:"])
  func address(text: String) {
    #expect(throws: LibreError.transport(.unknownAddress(text))) { try SensorReader(at: text) }
  }

  @Test("says that there is no sensor of an unknown scenario")
  func unreachable() async throws {
    let nothing = try SensorReader(at: "sim:nothing")
    await #expect(throws: LibreError.transport(.unknownAddress("sim:nothing"))) { try await nothing.read() }
  }
}
