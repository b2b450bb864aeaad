// SPDX-License-Identifier: Apache-2.0
//
// Keeps readings in a store that an actor owns, and sends what is new to a receiver of this program.
//
//   cd Examples/OwnSink
//   swift run OwnSink STORE        reads a simulated sensor twice into this store
import LibreKit
import SampleSync
import SensorHistory

/// A receiver: here it prints, and fails the first time. A real one calls a service of its own.
actor Shelf: SampleReceiver {
  nonisolated let name = "shelf"
  private var isOpen = false
  private(set) var values: [SampleID: Double] = [:]

  func receive(_ samples: [SentSample]) throws {
    guard isOpen else {
      isOpen = true
      throw Closed()
    }
    for sample in samples { values[sample.id] = sample.concentration.milligramsPerDecilitre }
  }

  struct Closed: Error, CustomStringConvertible {
    let description = "the shelf is closed"
  }
}

/// The store belongs to one actor: whoever wants to read or write it, asks it.
actor Keeper {
  private let store: SensorStore
  private let shelf: Shelf

  init(path: String, shelf: Shelf) throws {
    store = try StoreFile.openForWriting(path)
    self.shelf = shelf
  }

  func keep(_ reading: SensorReading) throws -> Int {
    try store.remember(reading, calibration: .factory).receipt.added
  }

  func send() async throws -> SensorStore.SendReceipt { try await store.send(to: shelf) }
}

@main
struct OwnSink {
  static func main() async throws {
    let shelf = Shelf()
    let keeper = try Keeper(path: CommandLine.arguments.dropFirst().first ?? "own-sink.sqlite", shelf: shelf)
    let reader = try SensorReader(at: "sim:active")
    print("\(try await keeper.keep(reader.read())) new samples")
    for attempt in 1...3 {
      let receipt = try await keeper.send()
      let failure = receipt.failure.map { " (\($0))" } ?? ""
      print("attempt \(attempt): \(receipt.accepted) accepted, \(receipt.queued) waiting\(failure)")
    }
    print("\(await shelf.values.count) values on the shelf")
  }
}
