// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// The files that a command was given, in order; with `--recursive` those below a folder in its place.
///
/// A folder that cannot be listed is a failure in its place, and the others follow.
struct InputFiles: Sequence, IteratorProtocol {
  private var paths: ArraySlice<String>
  private let recursive: Bool
  /// The folder that is being walked.
  private var walk: DirectoryWalk?

  init(_ paths: [String], recursive: Bool) {
    self.paths = paths[...]
    self.recursive = recursive
  }

  mutating func next() -> Result<String, DirectoryWalk.Failure>? {
    while true {
      if let entry = walk?.next() { return entry }
      walk = nil
      guard let path = paths.popFirst() else { return nil }
      guard recursive, FileSystem.isFolder(path) else { return .success(path) }
      walk = DirectoryWalk(path)
    }
  }
}
