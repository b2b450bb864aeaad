// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@Suite("Fuzz targets")
struct FuzzTargetsTests {
  /// All seeds in `make full`, else eight from all parts of the list.
  @Test("hold for valid inputs", arguments: FuzzTargets.all)
  func seeds(target: FuzzTarget) throws {
    let seeds = try target.allSeeds().filter { $0.bytes.count <= target.longest || !target.folders.isEmpty }
    #expect(!seeds.isEmpty)
    for index in seeds.indices where index.isMultiple(of: TestTier.rounds(max(1, seeds.count / 8), full: 1)) {
      Self.run(target, seeds[index].bytes, seeds[index].name)
    }
  }

  @Test("hold for changed inputs, which are the same in each run", arguments: FuzzTargets.all)
  func changedInputs(target: FuzzTarget) throws {
    let seeds = try target.allSeeds().map { Array($0.bytes.prefix(target.longest)) }
    var mutator = SeededMutator(target, seeds: seeds, seed: 9)
    for number in 0..<TestTier.rounds(max(4, target.testRuns / 10), full: target.testRuns) {
      Self.run(target, mutator.next(), "changed input \(number)")
    }
  }

  @Test("have unique names, and no name plus a dash is the beginning of another name")
  func names() {
    let names = FuzzTargets.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names { #expect(FuzzTargets.target(ofFile: "\(name)-crash-0a1b")?.name == name) }
  }

  @Test("hold for every input that made one fail in the past")
  func keptInputs() throws {
    let folder = Repository.root.appendingPathComponent("SensorDumps/fuzz/crashes")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".md") }
    for file in files.sorted() {
      let target = try #require(FuzzTargets.target(ofFile: file), "\(file) begins with the name of no target")
      Self.run(target, [UInt8](try Data(contentsOf: folder.appendingPathComponent(file))), file)
    }
  }

  /// Reports a failure together with the input, so that it can be kept.
  private static func run(_ target: FuzzTarget, _ bytes: [UInt8], _ name: String) {
    do {
      try target.run(bytes)
    } catch {
      Issue.record("\(target.name), \(name): \(error)\n\(HexText.string(of: bytes))")
    }
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  var testDescription: String { name }
}
