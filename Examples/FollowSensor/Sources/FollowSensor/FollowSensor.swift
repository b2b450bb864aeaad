// SPDX-License-Identifier: Apache-2.0
//
// Reads a sensor, decodes a dump, and follows a sensor: what a program does with libre.
//
//   cd Examples/FollowSensor
//   swift run FollowSensor                    a simulated sensor, three readings
//   swift run FollowSensor auto               the sensor on the best reader that is plugged in
//   swift run FollowSensor sim:active DUMP    decodes this file instead of a dump of the project
import LibreKit

@main
struct FollowSensor {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let address = arguments.first ?? "sim:active"
    let dump = arguments.dropFirst().first ?? "../../SensorDumps/libre1/active.hex"

    // One reading.
    let reader = try SensorReader(at: address)
    let reading = try await reader.read()
    print("read \(address): \(summary(of: reading))")

    // A file with the memory of a sensor, in any of the formats that libre knows.
    let decoded = try DumpDecoder().decode(contentsOf: dump)
    print("decoded \(dump): \(summary(of: decoded))")
    for sample in decoded.history.suffix(3) {
      print("  minute \(sample.minute): \(text(sample.usableConcentration))")
    }

    // One reading after the other, until the loop is left or the task cancelled.
    var count = 0
    for await result in reader.readings(every: .seconds(1)) {
      count += 1
      switch result {
      case .success(let reading): print("reading \(count): \(summary(of: reading))")
      case .failure(let error): print("reading \(count): \(error.message)")
      }
      if count == 3 { break }
    }
  }

  static func summary(of reading: SensorReading) -> String {
    "\(text(reading.current?.concentration)), \(reading.sensor.ageMinutes) minutes old, "
      + "\(reading.history.count) history and \(reading.trend.count) trend samples"
  }

  /// A concentration, or why there is none.
  static func text(_ concentration: GlucoseConcentration?) -> String {
    concentration.map { "\(Int($0.milligramsPerDecilitre.rounded())) mg/dL" } ?? "no usable value"
  }
}
