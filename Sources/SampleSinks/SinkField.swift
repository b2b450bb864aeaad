// SPDX-License-Identifier: Apache-2.0

/// One place in what a sink sends, and what of ours stands there.
///
/// Each sink declares its fields beside the writer of its requests, and a test holds the list against what is sent: a
/// member that is in no list, and one that has another value than the list says, fails it.
public struct SinkField: Hashable, Sendable {
  /// Our name of what stands there, as in `libre.sample/1`; nil for what does not depend on a value.
  public let ours: String?
  /// The place, as `jq` would write it without the first dot: `[].sgv` in a list of records. Before it stands what it is
  /// in, if that is not the body of the delivery: a topic, or the request that is made before the first delivery. A
  /// `*` at the end is for all that is below.
  public let theirs: String
  /// The form of the value there, or the constant that is sent.
  public let note: String?
  /// It is sent only with one of these parts; empty for always.
  public let parts: [SampleBatch.Part]

  init(_ ours: String?, _ theirs: String, _ note: String? = nil, with parts: SampleBatch.Part...) {
    self.init(ours, theirs, note, parts)
  }

  init(_ ours: String?, _ theirs: String, _ note: String?, _ parts: [SampleBatch.Part]) {
    self.ours = ours
    self.theirs = theirs
    self.note = note
    self.parts = parts
  }

  /// A value that is always the same.
  static func always(_ theirs: String, _ note: String) -> SinkField {
    SinkField(nil, theirs, note)
  }

  /// Members that have our own names.
  static func own(_ names: [String], in place: String, with parts: SampleBatch.Part...) -> [SinkField] {
    names.map { SinkField($0, place + $0, nil, parts) }
  }

  /// The same in a request or a message of its own.
  func within(_ place: String) -> SinkField { SinkField(ours, place + theirs, note, parts) }

  func with(_ parts: [SampleBatch.Part]) -> SinkField {
    SinkField(ours, theirs, note, parts)
  }
}
