// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import LibreKit
import NFCTransport
import Testing

struct SensorReaderTests {
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

  @Test("a reading over the air equals that of a dump of the same memory", arguments: Scenario.all.map(\.name))
  func sameAsDump(name: String) async throws {
    let image = try #require(Scenario.named(name)).image(seed: 7)
    let read: SensorReading
    do {
      read = try await SensorReader(at: "sim:\(name):7").read()
    } catch {
      // Blank bytes give an error of the family or of a blank memory; both ways must give the same error.
      #expect(dumped(image) == .failure(error), "\(error)")
      return
    }
    let dump = try dumped(image).get()
    #expect(read.history.map(\.raw) == dump.history.map(\.raw))
    #expect(read.trend.map(\.raw) == dump.trend.map(\.raw))
    #expect(read.samples.map(read.id) == dump.samples.map(dump.id))
    #expect(read.samples.map(\.concentration) == dump.samples.map(\.concentration))
    #expect(read.sensor.state == dump.sensor.state)
    #expect(read.sensor.uid == image.uid && read.sensor.patchInfo == image.patchInfo)
    #expect(read.integrity == dump.integrity)
    #expect(read.current == dump.current)
  }

  @Test("a reading has the time of this computer's clock and the name of the reader")
  func clock() async throws {
    let reading = try await SensorReader(at: "sim:active:7").read()
    #expect(reading.readAtSource == .clock)
    let readAt = try #require(reading.readAt)
    // Later than the day on which this test was written.
    #expect(readAt.secondsSince1970 > 1_760_000_000)
    #expect(reading.sensor.activatedAt == readAt.adding(minutes: -reading.sensor.ageMinutes))
    #expect(reading.reader?.address == "sim:active:7")
    #expect(reading.source.path == nil && reading.source.format == nil)
    #expect(reading.source.sha256.count == 64)
  }

  @Test("readings continue after a failed one")
  func readings() async throws {
    var minutes: [Int] = []
    for await reading in try SensorReader(at: "sim:active:7").readings(every: .zero) {
      minutes.append(try reading.get().sensor.ageMinutes)
      if minutes.count == 3 { break }
    }
    #expect(minutes.count == 3 && minutes == minutes.sorted())
    var failures = 0
    for await reading in try SensorReader(at: "replay:/nowhere").readings(every: .zero) {
      #expect(throws: LibreError.self) { try reading.get() }
      failures += 1
      if failures == 2 { break }
    }
    #expect(failures == 2)
  }

  @Test("readings end when their task is cancelled, even in the middle of an hour's interval")
  func cancelledReadings() async throws {
    let readings = try SensorReader(at: "sim:active:7").readings(every: .seconds(3_600))
    let (first, arrived) = AsyncStream.makeStream(of: Void.self)
    let follower = Task {
      var count = 0
      for await _ in readings {
        count += 1
        arrived.yield()
      }
      return count
    }
    for await _ in first { break }
    follower.cancel()
    #expect(await follower.value == 1)
  }

  @Test(
    "an invalid reader address is refused at creation, and an unknown scenario when it is read",
    arguments: ["", "usb", "sim:", "sim", "nfc", "pcsc:"])
  func address(text: String) async throws {
    #expect(throws: LibreError.transport(.unknownAddress(text))) { try SensorReader(at: text) }
    let nothing = try SensorReader(at: "sim:nothing")
    await #expect(throws: LibreError.transport(.unknownAddress("sim:nothing"))) { try await nothing.read() }
  }
}
