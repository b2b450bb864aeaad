// SPDX-License-Identifier: Apache-2.0

/// The published documents, each with its JSON Schema (draft 2020-12).
public enum SchemaDocument: String, Hashable, Sendable, CaseIterable {
  case reading
  case error

  /// As in the document's `schema` member.
  public var identifier: String { "libre.\(rawValue)/1" }

  public var summary: String {
    switch self {
    case .reading: "one scan or one decoded dump"
    case .error: "why there is no reading"
    }
  }

  /// The schema itself.
  public var jsonSchema: String {
    switch self {
    case .reading: ReadingSchema.text
    case .error: ErrorSchema.text
    }
  }
}
