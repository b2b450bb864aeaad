// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats

/// A file on disk as history formats read it: in pieces, as often as they have to.
struct DiskHistoryFile: HistoryFile {
  let path: String?
  private let place: String
  let head: [UInt8]

  /// As much as the marks of every format lie in.
  static let headCount = 1 << 16

  init(_ path: String) throws(LibreError) {
    (self.path, place) = (path, path)
    head = try FileBytes.head(of: path, count: Self.headCount)
  }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) {
    do throws(LibreError) {
      try FileBytes.forEachChunk(of: place) { piece throws(LibreError) in
        do throws(HistoryError) {
          try chunk(Array(piece))
        } catch {
          throw .history(error)
        }
      }
    } catch .history(let error) {
      throw error
    } catch {
      throw .unreadable(error.message)
    }
  }
}
