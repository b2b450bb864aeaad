// SPDX-License-Identifier: Apache-2.0
import CGMModel

@testable import DumpFormats

extension DumpFormat {
  /// The dump in a file that must contain exactly one.
  func onlyDump(in file: [UInt8]) throws(DumpError) -> Dump {
    try DumpChoice.only.dump(in: try dumps(in: DumpFile(file))).dump
  }

  func onlyDump(in text: String) throws(DumpError) -> Dump { try onlyDump(in: Array(text.utf8)) }

  /// The error for a file; nil if its dump is read.
  func refusal(of file: [UInt8]) -> DumpError? {
    do throws(DumpError) {
      _ = try onlyDump(in: file)
      return nil
    } catch { return error }
  }

  func refusal(of text: String) -> DumpError? { refusal(of: Array(text.utf8)) }

  func onlyImage(in file: [UInt8]) throws(DumpError) -> MemoryImage { try onlyDump(in: file).image }

  func onlyImage(in text: String) throws(DumpError) -> MemoryImage { try onlyDump(in: text).image }

  /// All dumps in a file, with failures in their positions.
  func results(_ bytes: [UInt8]) throws(DumpError) -> [Result<Dump, DumpError>] {
    Array(try dumps(in: DumpFile(bytes)))
  }

  func results(_ text: String) throws(DumpError) -> [Result<Dump, DumpError>] { try results(Array(text.utf8)) }

  /// The memories of a text; none of them may fail.
  func allDumps(in text: String) throws(DumpError) -> [Dump] {
    var dumps: [Dump] = []
    for dump in try self.dumps(in: DumpFile(Array(text.utf8))) { dumps.append(try dump.get()) }
    return dumps
  }
}
