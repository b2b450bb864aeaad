// SPDX-License-Identifier: Apache-2.0

/// A line of `--csv`: `path,uid,serial,ring,minute,time,mg/dL,quality,errors,°C,glucose,temperature,…,id`.
struct PrintedSample {
  let path: String
  /// The identity of the sample, and the counts it was made from.
  let counts: String
  let time: String
  let id: String

  init(csv line: String) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    path = fields[0]
    counts = [fields[1], fields[3], fields[4], fields[10], fields[11]].joined(separator: "/")
    time = fields[5]
    id = fields[15]
  }

  var dated: String { "\(counts)/\(time)" }
}
