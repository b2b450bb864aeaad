// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
public import NFCTransport
public import TextFormats

/// `libre.readers/1`.
public enum ReadersJSON {
  public static func write(_ document: ReaderSurvey, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.readers.identifier)
      json.member("tool", Program.tool)
      json.member("readers") { $0.array(document.readers) { $0.object(reader($1)) } }
      json.member("ways") { json in
        json.array(document.ways) { json, way in
          json.object {
            $0.member("scheme", way.scheme)
            $0.member("summary", way.summary)
            $0.member("error") { json in
              if let error = way.error { json.object(explanation(error)) } else { json.null() }
            }
          }
        }
      }
    }
  }

  private static func reader(_ judged: ReaderAssessment) -> (inout JSONWriter) -> Void {
    { json in
      json.member("address", judged.reader.address.description)
      json.member("name", judged.reader.name)
      json.member("presence", judged.reader.presence.rawValue)
      json.member("iso15693", judged.iso15693.rawValue)
      json.member("reason", judged.reason)
      json.member("known_as", judged.kind?.title)
      json.member("dialects", judged.dialects)
      json.member("driver", judged.kind?.driver)
      json.member("note", judged.kind?.note)
    }
  }

  private static func explanation(_ error: TransportError) -> (inout JSONWriter) -> Void {
    { json in
      json.member("code", error.code)
      json.member("message", error.message)
      json.member("resolution", error.resolution)
    }
  }
}
