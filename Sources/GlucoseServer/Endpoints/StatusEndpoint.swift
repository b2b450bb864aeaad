// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import SampleStore
import TextFormats

/// The first thing that many clients ask, and some stop without it (GlucoseServer/ClientsAndPaths, "Status").
struct StatusEndpoint: Endpoint {
  /// Version of the Nightscout whose interface is answered. Clients show it; none of those that were read compares it.
  static let nightscoutVersion = "15.0.7"

  func answer(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer? {
    let api = request.api
    guard api.parts == ["status"] else { return nil }
    // xDrip knows one form.
    guard api.isFirstOrSecond else {
      return api.version == nil && request.pathExtension == "json" ? Self.json(request, context) : nil
    }
    let format = AnswerFormat.preferred(of: [.html, .javascript, .text, .json], for: request) ?? .html
    var answer = Self.json(request, context)
    answer.contentType = format.contentType
    switch format {
    case .javascript: answer.body = Array("this.serverSettings = ".utf8) + answer.body + Array(" ;".utf8)
    case .text: answer.body = Array("STATUS OK".utf8)
    case .html: answer.body = Array("<h1>STATUS OK</h1>".utf8)
    case .json, .tabs, .commas: break
    }
    return answer
  }

  private static func json(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer {
    .object { json in
      json.members([
        "status": .text("ok"), "name": .text("libre"), "version": .text(nightscoutVersion),
        "serverTime": .date(context.now), "serverTimeEpoch": .milliseconds(context.now), "apiEnabled": .flag(true),
        "careportalEnabled": .flag(false), "boluscalcEnabled": .flag(false), "runtimeState": .text("loaded"),
      ])
      let showsSession = request["token"] != nil || request["secret"] != nil
      json.member("authorized") { showsSession ? context.writeSession(to: &$0) : $0.null() }
      json.object("settings") { writeSettings(context.unit, to: &$0) }
      json.object("extendedSettings") { _ in }
    }
  }

  /// The limits are in mg/dL whatever the unit is.
  private static func writeSettings(_ unit: GlucoseUnit, to json: inout JSONWriter) {
    json.members([
      "units": .text(unit.wireName), "timeFormat": .whole(24), "customTitle": .text("libre"),
      "theme": .text("default"), "language": .text("en"),
    ])
    json.object("thresholds") { json in
      json.member("bgHigh", GlucoseRange.veryHighLimit, places: 0)
      json.member("bgTargetTop", GlucoseRange.highLimit, places: 0)
      json.member("bgTargetBottom", GlucoseRange.lowLimit, places: 0)
      json.member("bgLow", GlucoseRange.veryLowLimit, places: 0)
    }
    json.members([
      "alarmTimeagoWarn": .flag(true), "alarmTimeagoWarnMins": .whole(15), "alarmTimeagoUrgent": .flag(true),
      "alarmTimeagoUrgentMins": .whole(30), "authDefaultRoles": .text("readable"),
    ])
    json.member("enable", ["careportal"])
    json.member("showPlugins", "")
  }
}

extension ServerContext {
  /// Writes the permissions of a client that has shown the secret, and the token that it may send instead from then on.
  func writeSession(to json: inout JSONWriter) {
    json.object { json in
      // A server without a secret does not look at tokens.
      json.member("token", secret?.token(now: now) ?? "open")
      json.member("sub", "reader")
      json.member("permissionGroups") { $0.array([["*:*:read"]]) { $0.value($1) } }
      json.member("iat", Int(now.secondsSince1970))
      json.member("exp", Int(ServerSecret.expiry(ofToken: now).secondsSince1970))
    }
  }
}

/// Addresses by which clients find out whether their secret is right and what the server can do.
struct LoginEndpoint: Endpoint {
  /// Open for two addresses: one says whether a secret is right, the other what the server can do.
  let isOpen = true

  func answer(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer? {
    if request.path == ["api", "versions"] { return Self.versions }
    let api = request.api
    guard api.isFirstOrSecond else { return nil }
    if api.parts == ["verifyauth"] { return Self.permissions(isAllowed: context.isAuthorized) }
    guard context.isAuthorized else { return nil }
    switch api.parts {
    case ["experiments", "test"]: return .object { $0.member("status", "ok") }
    case ["adminnotifies"]:
      return Self.message { json in
        json.member("notifies", [String]())
        json.member("notifyCount", 0)
      }
    case ["authorization", "subjects"], ["authorization", "roles"]: return .records([])
    case let parts where parts.count == 3 && parts.starts(with: ["authorization", "request"]):
      var answer = ServerAnswer.json(context.writeSession)
      // A token is as good as the secret until it expires.
      answer.headers.append(("Cache-Control", "no-store"))
      return answer
    default: return nil
    }
  }

  private static var versions: ServerAnswer {
    .records(
      [("1.0.0", "/api/v1"), ("2.0.0", "/api/v2"), (VersionThreeEndpoint.version, "/api/v3")].map { version, url in
        WireRecord(["version": .text(version), "url": .text(url)])
      })
  }

  private static func permissions(isAllowed: Bool) -> ServerAnswer {
    message {
      $0.members([
        "canRead": .flag(isAllowed), "canWrite": .flag(false), "isAdmin": .flag(false),
        "message": .text(isAllowed ? "OK" : "UNAUTHORIZED"), "rolefound": .text(isAllowed ? "FOUND" : "NOTFOUND"),
        "permissions": .text(isAllowed ? "ROLE" : "DEFAULT"),
      ])
    }
  }

  private static func message(_ members: (inout JSONWriter) -> Void) -> ServerAnswer {
    .object { json in
      json.member("status", 200)
      json.object("message", members)
    }
  }
}
