// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import HostSystem

/// A file on disk as history formats read it: in pieces, as often as they have to.
struct DiskHistoryFile: HistoryFile {
  let path: String?
  private let place: String
  let head: [UInt8]

  /// As much as the marks of every format lie in.
  static let headCount = 1 << 16

  init(_ path: String) throws(LibreError) {
    (self.path, place) = (path, path)
    head = try Files.head(of: path, count: Self.headCount)
  }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    let file = try Self.reading { () throws(InputError) in try FileReader(place) }
    while let piece = try Self.reading({ () throws(InputError) in try file.next() }) { try chunk(piece) }
  }

  private static func reading<Value>(_ work: () throws(InputError) -> Value) throws(HistoryError) -> Value {
    do throws(InputError) {
      return try work()
    } catch {
      throw .unreadable(error.message)
    }
  }
}
