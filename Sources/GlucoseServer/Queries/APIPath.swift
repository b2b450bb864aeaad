// SPDX-License-Identifier: Apache-2.0

/// The part of an address that names what is asked for, whatever stands before it.
///
/// People type addresses with `/api/v1` or `/sgv.json` already in them, to which a program then adds its own path; a proxy
/// may serve us below a directory. So the last `api/v1` of the path counts, and what stands before it does not.
struct APIPath: Hashable {
  /// The N of `api/vN`; nil for a path without one.
  let version: Int?
  /// Parts behind the version, or the whole path.
  let parts: [String]

  init(_ path: [String]) {
    let versions = ["v1": 1, "v2": 2, "v3": 3]
    for index in path.indices.dropLast().reversed() where path[index] == "api" {
      guard let version = versions[path[index + 1]] else { continue }
      self.version = version
      parts = Array(path[(index + 2)...])
      return
    }
    version = nil
    parts = path
  }

  /// Nightscout answers all of version 1 under version 2 as well.
  var isFirstOrSecond: Bool { version == 1 || version == 2 }
}

extension ServerRequest {
  var api: APIPath { APIPath(path) }
}
