// SPDX-License-Identifier: Apache-2.0

/// A field in a sink's output, and our value in it.
///
/// Each sink declares its fields next to the code that writes its requests, and a test compares the list with real
/// output: it fails for a member missing in the list, or with another value than declared.
package struct SinkField: Hashable, Sendable {
  /// Our name of the value, as in `libre.sample/1`; nil if the field does not depend on a value.
  package let ours: String?
  /// Path of the field in `jq` syntax without the first dot: `[].sgv` in a list of records. A prefix names the
  /// container if it is not the body of the delivery: a topic, or the request before the first delivery. A trailing `*`
  /// includes everything below.
  package let theirs: String
  /// Format of the value, or the constant that is sent.
  package let note: String?
  /// Parts with which the field is sent; empty for always.
  package let parts: [SampleBatch.Part]

  init(_ ours: String?, _ theirs: String, _ note: String? = nil, with parts: SampleBatch.Part...) {
    self.init(ours, theirs, note, parts)
  }

  init(_ ours: String?, _ theirs: String, _ note: String?, _ parts: [SampleBatch.Part]) {
    self.ours = ours
    self.theirs = theirs
    self.note = note
    self.parts = parts
  }

  /// Returns a field with a constant value.
  static func always(_ theirs: String, _ note: String) -> SinkField {
    SinkField(nil, theirs, note)
  }

  /// Returns fields with our own names.
  static func own(_ names: [String], in place: String, with parts: SampleBatch.Part...) -> [SinkField] {
    names.map { SinkField($0, place + $0, nil, parts) }
  }

  /// Returns the field inside another request or message.
  func within(_ place: String) -> SinkField { SinkField(ours, place + theirs, note, parts) }

  func with(_ parts: [SampleBatch.Part]) -> SinkField {
    SinkField(ours, theirs, note, parts)
  }
}
