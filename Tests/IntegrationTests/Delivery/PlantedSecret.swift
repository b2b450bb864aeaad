// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Foundation
import TestSupport
import Testing

/// A secret that exists nowhere else, and the search for it.
struct PlantedSecret: Sendable {
  /// The source from which the command gets the secret.
  enum Way: String, CaseIterable, Sendable {
    case file, command, environment
  }

  /// In every form in which the text itself is written: as it is, in JSON, in an address.
  private let core = "pl4nt3d" + UUID().uuidString.replacingOccurrences(of: "-", with: "")
  /// With what JSON and addresses escape.
  var text: String { "\(core)/+\"\\%" }

  /// The texts that reveal it: itself, its digest, and its form in Base64.
  var forms: [String] {
    let digest = HashFunction.sha1.hex(of: Array(text.utf8))
    return [core, digest, digest.uppercased(), Data(text.utf8).base64EncodedString()]
  }

  /// The forms that are in the bytes.
  func found(in bytes: [UInt8]) -> [String] {
    let data = Data(bytes)
    return forms.filter { data.range(of: Data($0.utf8)) != nil }
  }

  /// The files of a folder that have it, but for the places where it was put.
  func files(in folder: URL, except: Set<String>) throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { path in
      guard !except.contains(path), let bytes = try? Data(contentsOf: folder.appending(path: path)) else {
        return false
      }
      return !found(in: [UInt8](bytes)).isEmpty
    }
  }
}

/// What the kernel shows to all users, or to the same user, of a process and of all that it has started.
struct ProcessTree {
  private(set) var commands: Set<[UInt8]> = []
  /// Of those that it has started.
  private(set) var environments: Set<[UInt8]> = []
  private(set) var ownEnvironment: [UInt8] = []

  /// A shell script that waits until this process has been seen.
  static func waiting(for file: String) -> String { "until [ -e '\(file)' ]; do sleep 0.01; done" }

  /// Looks until the program ends. Each process that is `waiting` for a file goes on when it has been seen.
  init(watching program: RunningProgram) {
    while !program.ends(by: .now() + 0.002) {
      let own = Int(program.identifier)
      let ownCommand = Self.bytes("/proc/\(own)/cmdline")
      for process in Self.descendants(of: own) {
        let command = Self.bytes("/proc/\(process)/cmdline")
        commands.insert(command)
        if process == own {
          ownEnvironment = Self.bytes("/proc/\(process)/environ")
        } else if !command.isEmpty, command != ownCommand {
          // For an instant a child is still what started it.
          environments.insert(Self.bytes("/proc/\(process)/environ"))
          Self.release(command)
        }
      }
    }
  }

  private static func release(_ command: [UInt8]) {
    guard let match = String(decoding: command, as: UTF8.self).firstMatch(of: /until \[ -e '([^']+)' \]/) else {
      return
    }
    _ = FileManager.default.createFile(atPath: String(match.1), contents: nil)
  }

  private static func descendants(of process: Int) -> [Int] {
    var found = [process]
    var next = 0
    while next < found.count {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(found[next])/task")) ?? []
      for task in tasks {
        let children = String(decoding: bytes("/proc/\(found[next])/task/\(task)/children"), as: UTF8.self)
        found += children.split(separator: " ").compactMap { Int($0) }
      }
      next += 1
    }
    return found
  }

  /// FileManager asks for a file's size, and these have none.
  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
