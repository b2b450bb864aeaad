// SPDX-License-Identifier: Apache-2.0
import DumpFormats

/// A dump file whose format is known. Its memories are read one at a time, as they are asked for, and once: open the file
/// again to go through them again.
public struct OpenDump {
  /// The format's name.
  public let format: String
  /// As it was given; nil for bytes without a file.
  public let path: String?
  let sha256: String
  let dumps: DumpSequence
}
