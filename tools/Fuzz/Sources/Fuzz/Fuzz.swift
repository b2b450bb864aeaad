// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation

/// What libFuzzer calls. The target is the one that `LIBRE_FUZZ_TARGET` names, else that of the kept input, the last
/// argument.
///
/// With `LIBRE_FUZZ_SEEDS` nothing is fuzzed: below that folder each target's seeds are written, in a folder of its name,
/// and its words, as `NAME.dict`; their names go to standard output.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzing(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
  if let folder = ProcessInfo.processInfo.environment["LIBRE_FUZZ_SEEDS"] {
    do {
      for target in FuzzTargets.all { try target.writeSeeds(below: URL(fileURLWithPath: folder, isDirectory: true)) }
      exit(0)
    } catch {
      fail("\(error)")
    }
  }
  _ = target
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target.run(Array(UnsafeBufferPointer(start: data, count: count)))
  } catch {
    fail("\(target.name): \(error)")
  }
  return 0
}

private let target: FuzzTarget = {
  if let name = ProcessInfo.processInfo.environment["LIBRE_FUZZ_TARGET"] {
    guard let target = FuzzTargets.named(name) else { fail("LIBRE_FUZZ_TARGET names no target: \(name)") }
    return target
  }
  let file = URL(fileURLWithPath: CommandLine.arguments.last ?? "").lastPathComponent
  guard let target = FuzzTargets.target(ofFile: file) else { fail("\(file) begins with the name of no target") }
  return target
}()

/// Ends the program in a way that makes libFuzzer keep the input.
private func fail(_ words: String) -> Never {
  FileHandle.standardError.write(Data("\(words)\n".utf8))
  preconditionFailure("an oracle failed; what it says is above")
}

extension FuzzTarget {
  fileprivate func writeSeeds(below folder: URL) throws {
    let own = folder.appendingPathComponent(name, isDirectory: true)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    for (name, bytes) in try allSeeds() {
      try Data(bytes.prefix(longest)).write(to: own.appendingPathComponent(name))
    }
    let lines = words.map { word in
      "\"" + word.utf8.map { byte in "\\x" + HexText.string(of: byte) }.joined() + "\"\n"
    }
    if !lines.isEmpty { try Data(lines.joined().utf8).write(to: folder.appendingPathComponent("\(name).dict")) }
    FileHandle.standardOutput.write(Data("\(name) \(longest)\n".utf8))
  }
}
