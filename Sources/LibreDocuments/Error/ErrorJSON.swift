// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import LibreKit
public import TextFormats

/// `libre.error/1` (CONTRACT 4).
public enum ErrorJSON {
  public static func write(_ error: LibreError, path: String?, dump: Int? = nil, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.error.identifier)
      json.member("code", error.code)
      json.member("message", error.message)
      json.member("resolution", error.resolution)
      if let family = error.family { json.member("family", family.rawValue) }
      json.member("source") { json in
        json.object { json in
          json.member("path", path)
          if let dump { json.member("dump", dump) }
        }
      }
    }
  }
}
