// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// An R4 server that does transactions of conditional creates: an entry whose identifier is there already is not made
/// again, of updates and of deletions by an identifier (read: FHIR R4, http.html).
final class FHIRServer: Receiver {
  static let secret = "fhir.bearer.token"

  private let resources = Mutex<[String: JSONValue]>([:])

  var held: [HeldValue] {
    resources.withLock { resources in
      resources.values.filter { $0["resourceType"].text == "Observation" }
        .compactMap { HeldValue($0["effectiveDateTime"].text, $0["valueQuantity"]["value"].number) }
    }
  }

  func answer(to request: ReceivedRequest) -> Answer {
    guard request["Authorization"] == "Bearer \(Self.secret)" else { return Answer(401, Self.outcome("login")) }
    if request.method == "GET" { return Answer(200, #"{"resourceType":"CapabilityStatement"}"#) }
    guard request.path == "/", let bundle = request.json, bundle["type"].text == "transaction" else {
      return Answer(400, Self.outcome("invalid"))
    }
    let entries = bundle["entry"].elements
    let conditions = entries.compactMap { entry -> String? in
      if ["PUT", "DELETE"].contains(entry["request"]["method"].text ?? "") {
        let address = entry["request"]["url"].text?.removingPercentEncoding
        return address.flatMap { $0.hasPrefix("Observation?identifier=") ? $0 : nil }
      }
      guard let condition = entry["request"]["ifNoneExist"].text, condition.hasPrefix("identifier="),
        entry["request"]["method"].text == "POST", let kind = entry["resource"]["resourceType"].text,
        entry["request"]["url"].text == kind
      else { return nil }
      return "\(kind)?\(condition)"
    }
    guard conditions.count == entries.count, !entries.isEmpty else { return Answer(400, Self.outcome("required")) }
    let statuses = resources.withLock { resources in
      zip(conditions, entries).map { condition, entry in
        switch entry["request"]["method"].text {
        case "DELETE": return resources.removeValue(forKey: condition) == nil ? "404 Not Found" : "204 No Content"
        case "PUT": return resources.updateValue(entry["resource"], forKey: condition) == nil ? "201 Created" : "200 OK"
        default: break
        }
        if resources[condition] != nil { return "200 OK" }
        resources[condition] = entry["resource"]
        return "201 Created"
      }
    }
    let lines = statuses.map { "{\"response\":{\"status\":\"\($0)\"}}" }.joined(separator: ",")
    return Answer(200, "{\"resourceType\":\"Bundle\",\"type\":\"transaction-response\",\"entry\":[\(lines)]}")
  }

  private static func outcome(_ code: String) -> String {
    "{\"resourceType\":\"OperationOutcome\",\"issue\":[{\"severity\":\"error\",\"code\":\"\(code)\"}]}"
  }
}
