// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import SampleStore

/// Times `SensorStore.add` against a program that makes the same rows by SQLite's C calls: same schema, pragmas and
/// transactions, turn about in one run, and both files hold the same samples afterwards.
struct StoreBenchmark {
  /// The part of raw SQLite's speed that the project promises. It was 0.48. The two take turns, a transaction each, 163 times.
  static let aim = 0.4
  /// As many scans as `libre import` puts into one transaction.
  static let scansInTransaction = 128

  let scanCount: Int
  let minutesBetweenScans: Int
  /// The folder of both files.
  let folder: URL

  struct Result {
    let samplesOffered: Int
    let samplesStored: Int
    let seconds: Double
    let rawSeconds: Double
    var ratio: Double { rawSeconds / seconds }
  }

  func run() throws -> Result {
    let path = folder.appendingPathComponent("history.sqlite").path
    let store = try SensorStore(path, for: .writing)
    let raw = try RawStore(folder.appendingPathComponent("raw.sqlite").path, like: path)
    let readings = StoreBenchmarkReadings(scanCount: scanCount, minutesBetweenScans: minutesBetweenScans)
    let clock = ContinuousClock()
    var (ours, theirs) = (Duration.zero, Duration.zero)
    var offered = 0
    for start in stride(from: 0, to: scanCount, by: Self.scansInTransaction) {
      let scans = (start..<min(start + Self.scansInTransaction, scanCount)).map(readings.scan)
      offered += scans.reduce(0) { $0 + $1.reading.history.count + $1.reading.trend.count }
      ours += try clock.measure {
        try store.transaction { () throws(StoreError) in
          for scan in scans { _ = try store.add(scan) }
        }
      }
      let rows = try raw.rows(of: scans)
      theirs += try clock.measure { try raw.insert(rows) }
    }
    guard try raw.holdsTheSame() else { throw RawStore.Failure(words: "the two stores hold other samples") }
    return Result(
      samplesOffered: offered, samplesStored: try raw.sampleCount(), seconds: ours / .seconds(1),
      rawSeconds: theirs / .seconds(1))
  }
}

extension Benchmarks {
  /// A million new samples decide; scans that overlap, as most do, are shown beside.
  static func storeIsFastEnough() -> Bool {
    do {
      print(
        "\nsamples into a store, \(StoreBenchmark.scansInTransaction) scans of 48 a transaction, beside SQLite's C calls"
      )
      let new = try timed("all new", scans: 20_834, minutesBetweenScans: 480, keptAs: keptStore)
      _ = try timed("two of three known", scans: 4_096, minutesBetweenScans: 15, keptAs: nil)
      if new.ratio < StoreBenchmark.aim { print("the aim is \(StoreBenchmark.aim) of SQLite's speed") }
      return new.samplesStored >= 1_000_000 && new.ratio >= StoreBenchmark.aim
    } catch {
      print("the store fails: \(error)")
      return false
    }
  }

  /// Where the store of a million samples is to stay for `store-time.sh`; nil to remove it.
  private static var keptStore: URL? {
    ProcessInfo.processInfo.environment["LIBRE_BENCH_STORE"].map { URL(fileURLWithPath: $0) }
  }

  private static func timed(
    _ name: String, scans: Int, minutesBetweenScans: Int, keptAs kept: URL?
  ) throws -> StoreBenchmark.Result {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("libre-benchmark-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    let result = try StoreBenchmark(scanCount: scans, minutesBetweenScans: minutesBetweenScans, folder: folder).run()
    func rate(_ seconds: Double) -> String { "\(Int(Double(result.samplesOffered) / seconds / 1_000)) k/s" }
    print(
      "\(name): \(result.samplesOffered) offered, \(result.samplesStored) stored; ours \(rate(result.seconds)), "
        + "raw \(rate(result.rawSeconds)), ratio \(String(format: "%.2f", result.ratio))")
    if let kept {
      try? files.removeItem(at: kept)
      try files.moveItem(at: folder.appendingPathComponent("history.sqlite"), to: kept)
    }
    return result
  }
}
