// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import Libre1Core
import LibreDocuments
import LibreKit
import TestSupport
import Testing
import TextFormats

struct VectorTests {
  @Test("there are at least twenty dumps, six of them invalid, and each dump has its expectation and the reverse")
  func whole() {
    #expect(Vector.all.count >= 20)
    #expect(Vector.all.count(where: \.isRejected) >= 6)
    let stems = Vector.all.map { $0.file.dropLast(4) }
    #expect(Vector.names == (stems.map { "\($0).expected.json" } + stems.map { "\($0).hex" }).sorted())
  }

  @Test("each dump decodes to the document next to it, byte for byte", arguments: Vector.all)
  func document(vector: Vector) throws {
    var writer = JSONWriter(indented: true)
    do {
      let reading = try DumpDecoder().decode(try Repository.bytes(at: vector.dump), path: vector.file)
      #expect(!vector.isRejected, "decoded, though it must be refused")
      ReadingJSON.write(reading, unit: .milligramsPerDecilitre, to: &writer)
    } catch let error as LibreError {
      #expect(vector.isRejected, "refused: \(error.message)")
      ErrorJSON.write(error, path: vector.file, to: &writer)
    }
    let found = String(decoding: writer.bytes, as: UTF8.self) + "\n"
    let expected = String(decoding: try Repository.bytes(at: vector.expectation), as: UTF8.self)
    guard found != expected else { return }
    let lines = (found.split(separator: "\n"), expected.split(separator: "\n"))
    let number = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.0.count, lines.1.count)
    Issue.record(
      "line \(number + 1): \(lines.0.dropFirst(number).first ?? "missing") instead of \(lines.1.dropFirst(number).first ?? "nothing")"
    )
  }

  @Test("each dump names its origin, and the simulator can make it again from that", arguments: Vector.all)
  func origin(vector: Vector) throws {
    let file = try Repository.bytes(at: vector.dump)
    let head = try #require(String(decoding: file, as: UTF8.self).split(separator: "\n").first)
    guard let match = head.firstMatch(of: /libre simulate --scenario ([a-z0-9-]+) --seed ([0-9]+)$/) else {
      // Those that no scenario makes say what they were made of.
      #expect(head.hasPrefix("# ") && head.contains("active.hex"), "\(head)")
      return
    }
    let scenario = try #require(Scenario.named(String(match.1)))
    let image = scenario.image(seed: try #require(UInt64(match.2)))
    #expect(try DumpDetector(formats: [HexDump()]).parse(file).image == image)
    #expect(vector.isRejected == (scenario.expectation != .decodes))
  }
}

/// One dump of SensorDumps/libre1 with the document beside it.
struct Vector: CustomTestStringConvertible, Hashable, Sendable {
  let file: String

  var testDescription: String { file }

  var isRejected: Bool { file.hasPrefix("x-") }

  var dump: URL { Repository.dumps.appendingPathComponent(file) }
  var expectation: URL {
    dump.deletingPathExtension().deletingPathExtension().appendingPathExtension("expected.json")
  }

  /// All of them; none where the folder cannot be read, which `VectorTests` takes for the failure that it is.
  static let all: [Vector] = names.filter { $0.hasSuffix(".hex") }.map(Vector.init)

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: Repository.dumps.path)) ?? []).sorted()
}
