// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

/// The memories that were found in a file, each once by its bytes, with their places in the file.
struct FoundList {
  struct Found {
    var image: MemoryImage
    var layer: String
    var place: ClosedRange<Int>
    /// A block with two contents, and the places of both; the memory is then not reported.
    var conflict: (block: Int, places: [Int])?
  }

  private(set) var all: [Found] = []
  private var numbers: [ArraySlice<UInt8>: Int] = [:]

  /// Adds a memory. A second copy counts only if it is longer, or has a footer that is less damaged.
  mutating func add(_ image: MemoryImage, layer: String, _ place: ClosedRange<Int>) {
    let key = image.bytes.prefix(MemoryMap.body.end)
    if let number = numbers[key] {
      if Self.value(of: image) > Self.value(of: all[number].image) {
        (all[number].image, all[number].layer, all[number].place) = (image, layer, place)
      }
    } else {
      numbers[key] = all.count
      all.append(Found(image: image, layer: layer, place: place))
    }
  }

  /// Adds a memory of which one block has two contents. It replaces the memory, if that was found with one of them.
  mutating func add(
    conflict: (block: Int, places: [Int]), in image: MemoryImage, layer: String, _ place: ClosedRange<Int>
  ) {
    let key = image.bytes.prefix(MemoryMap.body.end)
    if let number = numbers[key] {
      all[number].conflict = all[number].conflict ?? conflict
    } else {
      numbers[key] = all.count
      all.append(Found(image: image, layer: layer, place: place, conflict: conflict))
    }
  }

  /// Adds what was found in a part of the file that was unpacked or decoded.
  mutating func add(_ inner: FoundList, from outer: String, _ place: (ClosedRange<Int>) -> ClosedRange<Int>) {
    for found in inner.all {
      let layer = found.layer == FileSearch.bytesLayer ? outer : "\(found.layer) in \(outer)"
      let place = place(found.place)
      if let conflict = found.conflict {
        add(conflict: (conflict.block, [place.lowerBound]), in: found.image, layer: layer, place)
      } else {
        add(found.image, layer: layer, place)
      }
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
