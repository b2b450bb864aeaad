// SPDX-License-Identifier: Apache-2.0
import HistoryFormats

/// What was piped in or had to be unpacked: it is in memory already.
struct MemoryHistoryFile: HistoryFile {
  let bytes: [UInt8]

  var head: [UInt8] { Array(bytes.prefix(InputFile.headCount)) }

  func forEachChunk(_ chunk: ([UInt8]) throws(HistoryError) -> Void) throws(HistoryError) { try chunk(bytes) }
}
