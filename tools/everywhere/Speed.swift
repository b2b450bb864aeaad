// SPDX-License-Identifier: Apache-2.0
//
// Nanoseconds for a memory as the libre command decodes it: all samples, each with its value.
//
//   Speed MEMORIES             writes 200 simulated memories there, if it does not exist, and prints the time
import CGMModel
import Foundation
import Libre1Core

@main
enum Main {
  static func main() throws {
    let file = URL(fileURLWithPath: CommandLine.arguments[1])
    if !FileManager.default.fileExists(atPath: file.path) {
      let active = Scenario.named("active")
      try Data((0..<200 as Range<UInt64>).flatMap { active?.memory(seed: $0) ?? [] }).write(to: file)
    }
    let bytes = [UInt8](try Data(contentsOf: file))
    let memories = stride(from: 0, to: bytes.count, by: MemoryMap.byteCount).map {
      Array(bytes[$0..<$0 + MemoryMap.byteCount])
    }
    var (best, sum) = (Duration.seconds(1), 0.0)
    for _ in 0..<300 {
      best = min(best, ContinuousClock().measure { for memory in memories { sum += value(of: memory) } })
    }
    print(best / .nanoseconds(1) / Double(memories.count), sum)
  }

  private static func value(of memory: [UInt8]) -> Double {
    guard let decoded = try? Libre1Decoder.decode(memory.span) else { return 0 }
    var sum = 0.0
    for ring in [SampleRing.trend, .history] {
      for sample in decoded.samples(of: ring) { sum += sample.usableConcentration?.milligramsPerDecilitre ?? 0 }
    }
    return sum
  }
}
