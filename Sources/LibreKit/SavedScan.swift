// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import NFCTransport

/// What a scan brought, as a dump file; a scan that was broken off too.
public struct SavedScan: Sendable {
  private let report: ScanReport

  public init(report: ScanReport) { self.report = report }

  /// Writes the memory, raw to a path that ends in `.bin`, else as hex with UID and time; readable by its owner only.
  ///
  /// A broken-off scan is always hex, in which the blocks that were not read are named. Nothing is written if no block
  /// was read. Throws `output`.
  public func write(to path: String) throws(LibreError) {
    let image = report.image
    guard image.missingBlocks.count * ISO15693.Response.blockSize < image.bytes.count else { return }
    let isWhole = image.missingBlocks.isEmpty
    let notes = ["Read by \(Version.tool)"] + (isWhole ? [] : ["Incomplete: the read was broken off"])
    let bytes = isWhole && path.hasSuffix(".bin") ? image.bytes : Array(HexDump.text(of: image, notes: notes).utf8)
    try FileBytes.write(bytes, to: path, isPrivate: true)
  }
}
