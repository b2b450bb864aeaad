// SPDX-License-Identifier: Apache-2.0
//
// Decodes the bytes of a sensor's memory, as an app has them after it read the 43 blocks: no file, no reader, no clock.
//
//   cd Examples/DecodeBytes
//   swift run DecodeBytes              a dump of the project
//   swift run DecodeBytes MEMORY.hex   another file of hex digits
import Foundation
import Libre1Core

@main
struct DecodeBytes {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "../../SensorDumps/libre1/active.hex"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let digits = lines.flatMap { $0.prefix { $0 != "#" }.filter(\.isHexDigit) }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }

    let memory = try Libre1Decoder.decode(bytes)
    print("\(memory.state), \(memory.ageMinutes) minutes old")
    for ring in SampleRing.allCases {
      let samples = memory.samples(of: ring)
      let usable = samples.filter { $0.usableConcentration != nil }
      print("\(ring): \(samples.count) samples, \(usable.count) with a value")
      for sample in usable.prefix(3) {
        let minutesAgo = memory.ageMinutes - sample.minute.value
        print("  \(minutesAgo) min ago: \(Int(sample.usableConcentration!.milligramsPerDecilitre.rounded())) mg/dL")
      }
    }
  }
}
