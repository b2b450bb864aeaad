// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import DumpFormats
import Libre1Core

/// Decodes dump files. Synchronous, and deterministic: the same file and options give the same reading on every machine.
public struct DumpDecoder: Sendable {
  public var options: DecodeOptions

  public init(options: DecodeOptions = DecodeOptions()) { self.options = options }

  /// Decodes the file at `path`, or standard input for `-`.
  ///
  /// Throws `LibreError`: `input` if it cannot be read, `dump` if it holds no memory, `memory` if the memory is not readable.
  public func decode(contentsOf path: String) throws(LibreError) -> SensorReading {
    try decode(try FileBytes.read(path), path: path)
  }

  /// Decodes the bytes of a dump file; `path` is only told on.
  public func decode(_ file: [UInt8], path: String? = nil) throws(LibreError) -> SensorReading {
    let (image, format) = try image(in: file, path: path)
    let source = ReadingSource(
      tool: Version.tool, path: path, format: format, sha256: Fingerprint.sha256(of: file))
    return try ReadingAssembly(image: image, readAtSource: readAtSource(of: image), source: source)
      .reading(calibration: options.calibration, salvaging: options.salvage)
  }

  /// The memory inside a dump file, with what the user adds to it, and the format's name.
  public func image(in file: [UInt8], path: String? = nil) throws(LibreError) -> (image: MemoryImage, format: String) {
    var image: MemoryImage
    let format: String
    do {
      (image, format) = try DumpDetector(formats: Registry.dumpFormats).parse(file, as: options.inputFormat)
    } catch {
      throw .dump(error)
    }
    image.uid = options.uid ?? image.uid
    image.patchInfo = options.patchInfo ?? image.patchInfo
    switch options.readTime {
    case .fromFile: break
    case .at(let instant): image.readAt = instant
    case .modificationTime:
      image.readAt = path.flatMap(FileBytes.modificationTime).map(Instant.init(secondsSince1970:))
    }
    return (image, format)
  }

  private func readAtSource(of image: MemoryImage) -> ReadTimeSource {
    guard image.readAt != nil else { return .unknown }
    return switch options.readTime {
    case .fromFile: .file
    case .at: .option
    case .modificationTime: .modificationTime
    }
  }
}
