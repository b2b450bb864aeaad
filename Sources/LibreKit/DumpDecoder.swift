// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem

/// Decodes dump files, synchronously: the same file and options give the same reading on every machine.
public struct DumpDecoder: Sendable {
  public var options: DecodeOptions
  /// The formats that a file may have.
  public var catalogue: Catalogue

  public init(options: DecodeOptions = DecodeOptions(), catalogue: Catalogue = .standard) {
    (self.options, self.catalogue) = (options, catalogue)
  }

  /// Decodes the memory in the file at `path`, or in standard input for `-`.
  /// - Throws: `LibreError`: `input` if the file cannot be read, `dump` if it contains no memory, or several without a
  ///   choice, `memory` if the memory cannot be decoded.
  public func decode(contentsOf path: String) throws(LibreError) -> SensorReading { try reading(of: try open(path)) }

  /// Decodes the memory in the bytes of a dump file. `path` is stored in the reading, and used for the modification
  /// time.
  public func decode(_ file: [UInt8], path: String? = nil) throws(LibreError) -> SensorReading {
    try reading(of: try open(file, path: path))
  }

  package func open(_ path: String) throws(LibreError) -> OpenDump {
    try open(try DumpInput.reading(try InputFile(path)))
  }

  package func open(_ file: [UInt8], path: String? = nil) throws(LibreError) -> OpenDump {
    try open(try DumpInput.unpacking(file, path: path))
  }

  var detector: DumpDetector { DumpDetector(formats: catalogue.dumpFormats) }

  package func open(_ input: DumpInput) throws(LibreError) -> OpenDump {
    let (format, dumps) = try libre(detected(input))
    let source = ReadingSource(tool: Program.tool, path: input.path, format: format, dump: nil, sha256: input.sha256)
    return OpenDump(source: source, dumps: dumps, file: input.file, detector: detector)
  }

  /// An archive has no format of a dump, but a search may find memories in it.
  private func detected(_ input: DumpInput) throws(DumpError) -> (format: String, dumps: DumpSequence) {
    guard let refusal = input.refusal else { return try detector.detect(input.file, as: options.inputFormat) }
    guard let search = detector.search,
      options.inputFormat.map(search.isCalled) ?? true, input.file.bytes.count <= DumpFile.sizeLimit,
      let dumps = try? search.dumps(in: input.file)
    else { throw refusal }
    return (search.name, dumps)
  }

  package func reading(of file: OpenDump) throws(LibreError) -> SensorReading {
    let (dump, number) = try chosen(in: file)
    return try reading(of: dump, number: number, in: file.source)
  }

  /// Decodes all memories, one at a time; one that cannot be decoded gives a failure.
  package func readings(of file: OpenDump) -> some Sequence<Result<SensorReading, LibreError>> {
    file.dumps.enumerated().lazy.map { reading(of: $1, number: $0 + 1, in: file.source) }
  }

  func reading(of memory: DumpSequence.Element, number: Int, in file: ReadingSource) -> Result<
    SensorReading, LibreError
  > {
    memory.mapError(LibreError.dump).flatMap { dump in
      Result { () throws(LibreError) in try reading(of: dump, number: number, in: file) }
    }
  }

  /// The chosen memory, with the UID, patch info and time that the user gave. A file with only records is refused.
  package func image(in file: OpenDump, decrypting: Bool = false) throws(LibreError) -> MemoryImage {
    try decrypting ? plainImage(in: file) : memory(in: file).memory.image
  }

  private func memory(in file: OpenDump) throws(LibreError) -> (memory: CheckedMemory, defect: DumpDefect?) {
    let dump = try chosen(in: file).dump
    if dump.records != nil { throw .dump(.recordsOnly) }
    return (completed(dump.memory, path: file.path).memory, dump.defect)
  }

  /// The chosen memory, decrypted if it is encrypted.
  /// - Throws: `memory` if the key is missing or wrong; `dump` as `image`, and for a memory that cannot be decrypted
  ///   because of the defect of the dump.
  package func plainImage(in file: OpenDump) throws(LibreError) -> MemoryImage {
    let (memory, defect) = try memory(in: file)
    if PlainMemory.hasLostBytes(memory, defect) { throw .dump(.takenForLocks) }
    // Its checksums are valid without decryption.
    if case .other = memory.kind { return memory.image }
    let plain = try libre(PlainMemory(memory))
    guard plain.isBodyProven else { throw .memory(.cannotDecrypt(memory.image.patchInfo?.family ?? .unknown)) }
    return plain.memory.image
  }

  func chosen(in file: OpenDump) throws(LibreError) -> (dump: Dump, number: Int) {
    do throws(DumpError) {
      return try options.choice.dump(in: file.dumps)
    } catch .severalDumps(let count, let listed, _) where file.hasMemoriesInLines {
      throw .dump(.severalDumps(count, listed: listed, areLines: true))
    } catch {
      throw .dump(error)
    }
  }

  func reading(of dump: Dump, number: Int, in file: ReadingSource) throws(LibreError) -> SensorReading {
    let (memory, readAtSource) = completed(dump.memory, path: file.path)
    var source = file
    source.dump = number
    source.found = dump.found
    return try DumpReading(
      memory: memory, readAtSource: readAtSource, source: source, defect: dump.defect, records: dump.records
    ).reading(calibration: options.calibration, salvaging: options.salvage)
  }

  private func completed(_ memory: CheckedMemory, path: String?) -> (
    memory: CheckedMemory, readAtSource: ReadTimeSource
  ) {
    let image = memory.image
    var (readAt, readAtSource): (_, ReadTimeSource) = (image.readAt, image.readAt == nil ? .unknown : .file)
    switch options.readTime {
    case .fromFile: break
    case .at(let instant): (readAt, readAtSource) = (instant, .option)
    case .modificationTime:
      // Copying a file changes it, so it never replaces a time in the file.
      if readAt == nil, let seconds = path.flatMap(FileSystem.modificationTime) {
        (readAt, readAtSource) = (Instant(secondsSince1970: seconds), .modificationTime)
      }
    }
    let (uid, patchInfo) = (options.uid ?? image.uid, options.patchInfo ?? image.patchInfo)
    return (memory.with(uid: uid, patchInfo: patchInfo, readAt: readAt), readAtSource)
  }
}
