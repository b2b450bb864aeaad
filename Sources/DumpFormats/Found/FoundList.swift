// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The memories that were found in a file, each once by its bytes, with their places in the file.
struct FoundList {
  struct Found {
    var image: MemoryImage
    var layer: String
    var place: ClosedRange<Int>
    /// The row of the table that has it, by SQLite's number; nil if it was found among the bytes of the file.
    var row: Int?
    /// A block with two contents, and the places of both; the memory is then not reported.
    var conflict: (block: Int, places: [Int])?
  }

  private(set) var all: [Found] = []
  /// The places of databases, where the rows of a listing may be those of several values.
  var databases: [Range<Int>] = []
  private var numbers: [ArraySlice<UInt8>: Int] = [:]

  mutating func add(_ image: MemoryImage, layer: String, _ place: ClosedRange<Int>) {
    add(Found(image: image, layer: layer, place: place))
  }

  /// Adds a memory. A second copy counts only if it is longer, or has a footer that is less damaged, and never instead of
  /// one in a table: the bytes of the file may have something else after it. One of which a block has two contents
  /// replaces the memory, if that was found with one of them.
  mutating func add(_ new: Found) {
    if new.row == nil && new.image.lacksBody, databases.contains(where: { $0.contains(new.place.lowerBound) }) {
      return
    }
    // A Libre Pro may be found with its history and without it.
    let isPro = new.image.bytes.dropFirst(LibreProMap.constants.offset).starts(with: LibreProMap.constants.bytes)
    let key = new.image.bytes.prefix(isPro ? LibreProMap.byteCount : MemoryMap.body.end)
    guard let number = numbers[key] else {
      numbers[key] = all.count
      all.append(new)
      return
    }
    let known = all[number]
    if known.row != nil && new.row == nil { return }
    if new.conflict == nil, Self.value(of: new.image) > Self.value(of: known.image) { all[number] = new }
    all[number].conflict = known.conflict ?? new.conflict
  }

  /// Adds what was found in a part of the file that was unpacked or decoded, or in a row of a table.
  mutating func add(
    _ inner: FoundList, from outer: String, row: Int? = nil, _ place: (ClosedRange<Int>) -> ClosedRange<Int>
  ) {
    for var found in inner.all {
      found.layer = found.layer == FileSearch.bytesLayer ? outer : "\(found.layer) in \(outer)"
      found.place = place(found.place)
      found.row = row ?? found.row
      found.conflict?.places = [found.place.lowerBound]
      add(found)
    }
  }

  /// All in the order of the file, without memories with a gap of which a whole copy was found as well.
  var inOrder: [Found] {
    func beginning(_ image: MemoryImage) -> ArraySlice<UInt8> { image.bytes.prefix(MemoryMap.body.start + 2) }
    let whole = Set(all.filter { $0.image.missingBlocks.isEmpty }.map { beginning($0.image) })
    return all.filter { $0.image.missingBlocks.isEmpty || !whole.contains(beginning($0.image)) }
      .sorted { $0.place.lowerBound < $1.place.lowerBound }
  }

  private static func value(of image: MemoryImage) -> Int {
    // The longer of two copies with the same checksums counts, and a gap makes a copy worse.
    CheckedMemory(image).integrity.trustedRegions * 10_000 + image.bytes.count - 100 * image.missingBlocks.count
  }
}

extension MemoryImage {
  /// True for a listing with a gap where the body is.
  var lacksBody: Bool { missingBlocks.contains(where: MemoryMap.body.blocks.contains) }
}
