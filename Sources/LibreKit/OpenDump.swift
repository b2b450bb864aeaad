// SPDX-License-Identifier: Apache-2.0
import DumpFormats

/// A dump file with a known format. Its memories are read one at a time, on demand and once: open the file again to
/// read them again.
public struct OpenDump {
  /// The format's name.
  public let format: String
  /// The given path; nil for bytes without a file.
  public let path: String?
  let sha256: String
  let dumps: DumpSequence
}
