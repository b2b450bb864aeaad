// SPDX-License-Identifier: Apache-2.0
public import CGMModel
package import Libre1Core

/// One memory found in a file, and where in the file it was.
public struct Dump: Hashable, Sendable {
  public var image: MemoryImage { memory.image }
  /// The image with what its checksums say.
  package let memory: CheckedImage
  /// What the file calls it (`Sensor decrypted FRAM`), or what tells it from its neighbours; nil if nothing does.
  public var label: String?
  /// The line it begins in, from 1; nil where a file has no lines.
  public var line: Int?
  /// What is known to be wrong with it.
  public var defect: DumpDefect?

  /// Blocks behind the end of the bytes are not kept as missing ones, although a file that was cut off may list them:
  /// that they are not there is seen anyway.
  public init(image: MemoryImage, label: String? = nil, line: Int? = nil, defect: DumpDefect? = nil) {
    var image = image
    image.missingBlocks.removeAll { [count = image.bytes.count] in $0 * MemoryMap.blockSize >= count }
    memory = CheckedImage(image)
    self.label = label
    self.line = line
    self.defect = defect
  }
}

/// What is known to be wrong with a dump whose bytes can be read.
public enum DumpDefect: Hashable, Sendable {
  /// A Proxmark3 client wrote the lock bytes of pages 160 to 243 over the start of the memory, which the image
  /// therefore lists as missing: 84 bytes, 180 with a client before 2024 (derived from its source, reproduced in C; not
  /// seen on hardware: DumpFormats/Formats, "Overwritten start").
  case overwrittenByProxmark
  /// The file's UID has `E0` at both ends, so that it may be meant in either order; the image has none (1 sensor in
  /// 256).
  case ambiguousUID
}
