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
  /// A broken-off scan is always hex, in which the blocks that were not read are named. Nothing is written if no block
  /// was read. Throws `output`.
  public func write(to path: String) throws(LibreError) {
    let image = report.image
    guard image.missingBlocks.count * ISO15693.Response.blockSize < image.bytes.count else { return }
    let isWhole = image.missingBlocks.isEmpty
    let notes = ["Read by \(Version.tool)"] + (isWhole ? [] : ["Incomplete: the read was broken off"])
    let bytes = try DumpEncoder.file(of: image, as: isWhole ? DumpEncoder.writer(for: path) : HexDump(), notes: notes)
    try FileBytes.write(bytes, to: path, isPrivate: true)
  }
}
