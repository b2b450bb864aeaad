// SPDX-License-Identifier: Apache-2.0
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files below a directory, in the order of their whole paths, byte by byte: `a-b`, `a/x`, `a0`.
///
/// Links to directories are not followed. Pipes, which would wait for a writer, and devices are skipped. A directory that
/// cannot be listed gives a failure in its place, and the walk continues. A name that is not UTF-8 is a text of
/// `FileNameText`.
///
/// Memory does not grow with the number of files: of each directory on the path only the next names are kept, and it is
/// listed again for those after them. Files created or deleted meanwhile may be found or not; all others are found
/// once.
package struct DirectoryWalk: Sequence, IteratorProtocol {
  package struct Failure: Error, Hashable, Sendable {
    package let path: String
    package let error: InputError
  }

  /// The names of a directory that are part of a walk.
  package enum Selection: Sendable {
    /// Names that are not hidden, and links to files.
    case visible
    /// Hidden names too; no links, and no directories in which the kernel shows itself, such as /proc.
    case everything
  }

  /// The open directories, from the top down to the current one.
  private var levels: [Level]

  private let selection: Selection

  /// A walk that keeps `batch` names of each directory, and twice as many while it is being listed.
  package init(_ directory: String, _ selection: Selection = .visible, batch: Int = 4096) {
    self.selection = selection
    levels = [Level(path: directory, selection: selection, batch: batch)]
  }

  package mutating func next() -> Result<String, Failure>? {
    while let level = levels.indices.last {
      guard let name = levels[level].next() else {
        if levels[level].isListed {
          levels.removeLast()
        } else if let error = levels[level].list() {
          return .failure(Failure(path: levels.removeLast().path, error: error))
        }
        continue
      }
      let path = levels[level].prefix + FileNameText.text(of: name)
      if name.last == slash {
        if selection == .everything, FileSystem.isOfKernel(path) { continue }
        levels.append(Level(path: String(path.dropLast()), selection: selection, batch: levels[level].batch))
      } else if isTaken(path) {
        return .success(path)
      }
    }
    return nil
  }

  private func isTaken(_ path: String) -> Bool {
    switch selection {
    // A link to nothing gives a failure when it is read.
    case .visible: FileSystem.isFile(path) || !FileSystem.exists(path)
    case .everything: FileSystem.kind(of: path, followingLinks: false) == S_IFREG
    }
  }
}

private let slash = UInt8(ascii: "/")

/// One directory on the current path.
private struct Level {
  let path: String
  let selection: DirectoryWalk.Selection
  let batch: Int
  /// True once the names reach to the end of the directory.
  private(set) var isListed = false
  /// The next names, in reverse order. Those of directories end with a slash, so that they sort as their paths do.
  private var names: [[UInt8]] = []
  /// The name that was returned last.
  private var last: [UInt8] = []

  init(path: String, selection: DirectoryWalk.Selection, batch: Int) {
    self.path = path
    self.selection = selection
    self.batch = batch
  }

  /// The path with a slash at its end.
  var prefix: String { path.utf8.last == slash ? path : path + "/" }

  /// Returns nil if the directory has to be listed first, or is at its end.
  mutating func next() -> [UInt8]? {
    guard let name = names.popLast() else { return nil }
    last = name
    return name
  }

  /// Lists the names after the last one. Returns the error if that fails.
  mutating func list() -> InputError? {
    guard let stream = opendir(path.fileName) else { return FileSystem.reason(errno) }
    defer { closedir(stream) }
    var found: [[UInt8]] = []
    // The last kept name, once some were removed.
    var end: [UInt8]?
    errno = 0
    while let entry = readdir(stream) {
      let name = self.name(of: entry)
      if isTaken(name), precedes(last, name), end.map({ precedes(name, $0) }) ?? true {
        found.append(name)
        if found.count == 2 * batch { end = Self.cut(&found, to: batch) }
      }
      errno = 0
    }
    guard errno == 0 else { return FileSystem.reason(errno) }
    end = Self.cut(&found, to: batch) ?? end
    names = found.reversed()
    isListed = end == nil
    return nil
  }

  private func isTaken(_ name: [UInt8]) -> Bool {
    switch selection {
    case .visible: name.first != UInt8(ascii: ".")
    // The directory itself and the one above it have these names, and the slash of a directory.
    case .everything: ![Array("./".utf8), Array("../".utf8)].contains(name)
    }
  }

  /// Keeps only the first names, sorted. Returns the last of them if others were removed.
  private static func cut(_ names: inout [[UInt8]], to count: Int) -> [UInt8]? {
    names.sort(by: precedes)
    guard names.count > count else { return nil }
    names.removeLast(names.count - count)
    return names.last
  }

  private func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let name = FileSystem.name(of: entry)
    return isFolder(Int32(entry.pointee.d_type), name) ? name + [slash] : name
  }

  /// False for a link, wherever it leads.
  private func isFolder(_ type: Int32, _ name: [UInt8]) -> Bool {
    // Some file systems do not report the type of a name.
    if type != Int32(DT_UNKNOWN) { return type == Int32(DT_DIR) }
    return FileSystem.kind(of: prefix + FileNameText.text(of: name), followingLinks: false) == S_IFDIR
  }
}

private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let order = memcmp(left, right, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}
