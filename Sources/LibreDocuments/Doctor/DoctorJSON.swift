// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreKit
public import NFCTransport
public import TextFormats

/// `libre.doctor/1`.
public enum DoctorJSON {
  public static func write(_ diagnosis: Diagnosis, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.doctor.identifier)
      json.member("tool", Program.tool)
      json.member("outlook", diagnosis.outlook.rawValue)
      json.member("summary", diagnosis.summary)
      json.member("exit_status", Int(diagnosis.exitStatus))
      json.member("checks") { json in
        json.array(diagnosis.checks) { json, check in
          json.object {
            $0.member("name", check.name)
            $0.member("verdict", check.verdict.rawValue)
            $0.member("message", check.what)
            $0.member("advice", check.advice)
            $0.member("remedy", check.remedy)
          }
        }
      }
      json.member("time_zone") { json in
        json.object {
          $0.member("name", diagnosis.timeZone.name)
          $0.member("is_known", diagnosis.timeZone.isKnown)
          $0.member("offset_2024_01_02", Instant.offset(diagnosis.timeZone.winterOffset))
          $0.member("offset_2024_05_02", Instant.offset(diagnosis.timeZone.summerOffset))
        }
      }
    }
  }
}
