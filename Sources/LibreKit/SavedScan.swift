// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import NFCTransport

/// What a scan brought, as a dump file; a scan that was broken off too.
public struct SavedScan: Sendable {
  private let report: ScanReport

  public init(report: ScanReport) { self.report = report }

  /// Writes the memory in the format that the path's end stands for, hex if it stands for none; readable by its owner only.
  ///
  /// A broken-off scan is always hex, as is one that the format cannot hold, in which the blocks that were not read are named. Nothing is written if no block
  /// was read. Throws `output`.
  public func write(to path: String) throws(LibreError) {
    let image = report.image
    guard image.missingBlocks.count * ISO15693.Response.blockSize < image.bytes.count else { return }
    let isWhole = image.missingBlocks.isEmpty
    let notes = ["Read by \(Program.tool)"] + (isWhole ? [] : ["Incomplete: the read was broken off"])
    // Hex holds any memory: what one format has no room for is not lost.
    let wanted = isWhole ? try? DumpEncoder.file(of: image, as: DumpEncoder.writer(for: path), notes: notes) : nil
    let bytes = if let wanted { wanted } else { try DumpEncoder.file(of: image, as: HexDump(), notes: notes) }
    try Files.write(bytes, to: path, isPrivate: true)
  }
}
