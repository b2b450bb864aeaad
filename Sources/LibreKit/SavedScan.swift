// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import HostSystem
import NFCTransport

package struct SavedScan: Sendable {
  private let report: ScanReport

  package init(report: ScanReport) { self.report = report }

  /// Writes the memory in the format of the path's extension, else as hex; only its owner can read the file. An
  /// incomplete scan is always hex, which names the missing blocks, as is one that the format cannot hold. Nothing is
  /// written if no block was read.
  package func write(to path: String) throws(LibreError) {
    let image = report.image
    guard image.missingBlocks.count * ISO15693.Response.blockSize < image.bytes.count else { return }
    let isWhole = image.missingBlocks.isEmpty
    let notes = ["Read by \(Program.tool)"] + (isWhole ? [] : ["Incomplete: the read was broken off"])
    // Hex can hold any memory.
    let wanted = isWhole ? try? DumpEncoder.file(of: image, as: DumpEncoder.writer(for: path), notes: notes) : nil
    let bytes = if let wanted { wanted } else { try DumpEncoder.file(of: image, as: HexDump(), notes: notes) }
    try libre(FileSystem.write(bytes, to: path, isPrivate: true))
  }
}
