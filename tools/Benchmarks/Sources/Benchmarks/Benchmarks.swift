// SPDX-License-Identifier: Apache-2.0
import CAllocationCount
import CGMModel
import Foundation
import Libre1Core

/// Times the decoder against what published decoders do, in one run, and checks that both say the same.
///
/// Exit status 1 if they differ, if decoding asks the heap for memory, or if the ratio is below the aim.
@main
struct Benchmarks {
  /// Times as fast as the published form that the project promises. It was about 70.
  static let aim = 60.0
  /// mg/dL by which the two may differ.
  static let tolerance = 1e-6

  static func main() {
    // Evaluated one after another: a failure does not hide what comes after it.
    let outcomes = [
      resultsAgree(), heapIsLeftAlone(), isFastEnough(), storeIsFastEnough(), growsNoFasterThanItsInput(),
    ]
    exit(outcomes.allSatisfy { $0 } ? 0 : 1)
  }

  /// Every situation that decodes, so that short rings, error records and ended sensors take part.
  static let everySituation: [[UInt8]] = Scenario.all.filter { $0.expectation == .decodes }
    .flatMap { scenario in (1...16).map { scenario.memory(seed: $0) } }
    .filter { $0.count >= MemoryMap.byteCount && CheckedMemory(MemoryImage(bytes: $0)).kind == .libre1 }

  static func resultsAgree() -> Bool {
    let published = PublishedDecoder<Data>(sensitivities: PublishedSensitivities.pairs)
    var agreement = Agreement()
    for memory in everySituation + activeMemories {
      guard let theirs = published.reading(of: Data(memory)) else { continue }
      guard let ours = try? Libre1Decoder.decode(memory.span) else {
        print("results: the published form decodes a memory that ours refuses")
        return false
      }
      agreement.compare([ours.trend.values, ours.history.values], with: [theirs.trend, theirs.history])
    }
    print(
      "results: \(agreement.memories) memories, \(agreement.values) values, minutes "
        + (agreement.minutesAgree ? "equal" : "DIFFERENT")
        + ", largest difference \(agreement.largestDifference) mg/dL")
    return agreement.values > 0 && agreement.minutesAgree && agreement.largestDifference < tolerance
  }

  static func heapIsLeftAlone() -> Bool {
    guard allocation_count() >= 0 else {
      print("heap: requests cannot be counted on this platform")
      return true
    }
    let memories = everySituation + activeMemories
    let data = Data(memories[0])
    let published = PublishedDecoder<Data>(sensitivities: PublishedSensitivities.pairs)
    // The first call sets up what a process sets up once.
    var sink = decodedAndRead(memories[0])
    let before = allocation_count()
    for memory in memories { sink += decodedAndRead(memory) }
    let ours = allocation_count() - before
    sink += published.reading(of: data)?.trend.sum ?? 0
    let theirs = allocation_count() - before - ours
    print("heap: \(ours) requests in \(memories.count) decodings of ours, \(theirs) in one published (sum \(sink))")
    // The published form must be seen to ask, or the count proves nothing.
    return ours == 0 && theirs > 0
  }

  /// What a reader meets nearly always: all 48 places filled, the sensor running.
  static let activeMemories: [[UInt8]] = {
    guard let scenario = Scenario.named("active") else { return [] }
    return (1...256).map { scenario.memory(seed: $0) }
  }()

  /// The same of a Libre 2, each with its own key, as a sensor shows them.
  static let encryptedMemories: [(cipher: MemoryCipher, bytes: [UInt8])] = {
    guard let scenario = Scenario.named("libre2") else { return [] }
    return (1...256 as ClosedRange<UInt64>).compactMap { seed in
      let image = scenario.image(seed: seed)
      guard let uid = image.uid, let patchInfo = image.patchInfo else { return nil }
      return MemoryCipher(uid: uid, patchInfo: patchInfo).map { ($0, image.bytes) }
    }
  }()

  /// Also holds decrypting against decoding, of which it is to be the lesser part.
  static func isFastEnough() -> Bool {
    let memories = activeMemories
    let encrypted = encryptedMemories
    let data = memories.map { Data($0) }
    let publishedOnData = PublishedDecoder<Data>(sensitivities: PublishedSensitivities.pairs)
    let publishedOnArray = PublishedDecoder<[UInt8]>(sensitivities: PublishedSensitivities.pairs)
    let contenders: [Stopwatch.Contender] = [
      .init(name: "published, Data", repetitions: 1, items: data.count) {
        data.reduce(0) { $0 + Self.sum(publishedOnData.reading(of: $1)) }
      },
      .init(name: "published, [UInt8]", repetitions: 4, items: memories.count) {
        memories.reduce(0) { $0 + Self.sum(publishedOnArray.reading(of: $1)) }
      },
      .init(name: "ours, decode", repetitions: 40, items: memories.count) {
        memories.reduce(0) { $0 + Self.decoded($1) }
      },
      .init(name: "ours, decode and read all", repetitions: 40, items: memories.count) {
        memories.reduce(0) { $0 + Self.decodedAndRead($1) }
      },
      .init(name: "ours, decrypt Libre 2", repetitions: 40, items: encrypted.count) {
        encrypted.reduce(0) { $0 + Double($1.cipher.applied(to: $1.bytes)[4]) }
      },
    ]
    let (times, sink) = Stopwatch(runs: 15).smallest(of: contenders)
    print("\nsmallest of 15 runs over \(memories.count) memories (sum \(sink))\n")
    print(row("", "ns a memory", "published Data ÷", "published [UInt8] ÷"))
    for (contender, time) in zip(contenders, times) {
      print(row(contender.name, tenths(time), tenths(times[0] / time), tenths(times[1] / time)))
    }
    let ratio = times[0] / times[3]
    if ratio < aim {
      print("\ndecode and read all is \(tenths(ratio)) times as fast as published on Data; the aim is \(tenths(aim))")
    }
    if times[4] >= times[2] { print("\ndecrypting costs more than decoding") }
    return ratio >= aim && times[4] < times[2]
  }

  private static func sum<Buffer>(_ reading: PublishedDecoder<Buffer>.Reading?) -> Double {
    reading.map { $0.trend.sum + $0.history.sum } ?? 0
  }

  private static func decoded(_ memory: [UInt8]) -> Double {
    guard let decoded = try? Libre1Decoder.decode(memory.span) else { return 0 }
    return decoded.current?.concentration.milligramsPerDecilitre ?? 0
  }

  private static func decodedAndRead(_ memory: [UInt8]) -> Double {
    guard let decoded = try? Libre1Decoder.decode(memory.span) else { return 0 }
    return decoded.trend.sum + decoded.history.sum
  }

  private static func row(_ name: String, _ columns: String...) -> String {
    name.padding(toLength: 28, withPad: " ", startingAt: 0)
      + columns.map { String(repeating: " ", count: max(1, 20 - $0.count)) + $0 }.joined()
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
