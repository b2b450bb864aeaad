// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

@Suite("Every door through which bytes come in")
struct FuzzTargetsTests {
  @Test("holds what it should for inputs as they should be", arguments: FuzzTargets.all)
  func seeds(target: FuzzTarget) throws {
    let seeds = try target.allSeeds()
    #expect(!seeds.isEmpty)
    for (name, bytes) in seeds where bytes.count <= target.longest || !target.folders.isEmpty {
      Self.run(target, bytes, name)
    }
  }

  @Test("holds it for inputs that are changed, the same at each run", arguments: FuzzTargets.all)
  func changedInputs(target: FuzzTarget) throws {
    let seeds = try target.allSeeds().map { Array($0.bytes.prefix(target.longest)) }
    var mutator = SeededMutator(target, seeds: seeds, seed: 9)
    for number in 0..<target.testRuns { Self.run(target, mutator.next(), "changed input \(number)") }
  }

  @Test("no two of them have the same name, and none is the beginning of another's with a dash")
  func names() {
    let names = FuzzTargets.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names { #expect(FuzzTargets.target(ofFile: "\(name)-crash-0a1b")?.name == name) }
  }

  @Test("every input that ever made one fail is held again")
  func keptInputs() throws {
    let folder = Sandbox.root.appendingPathComponent("SensorDumps/fuzz/crashes")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".md") }
    for file in files.sorted() {
      let target = try #require(FuzzTargets.target(ofFile: file), "\(file) begins with the name of no target")
      Self.run(target, [UInt8](try Data(contentsOf: folder.appendingPathComponent(file))), file)
    }
  }

  /// A failure tells the input, so that it can be kept.
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
