// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import SampleStore
import TextFormats

/// Kind of server, units and limits: the first thing that many clients ask, and some stop without it.
///
/// ```
/// /api/v1/status.json, /api/v2/status.json, /status.json (xDrip)
/// /api/v1/status.txt   STATUS OK, which uptime checks look for
/// /api/v1/status   HTML, unless the client accepts JSON
/// ```
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
    switch AnswerFormat.preferred(of: [.html, .javascript, .text, .json], for: request) {
    case .json?: return Self.json(request, context)
    case .javascript?:
      var script = ServerAnswer(contentType: AnswerFormat.javascript.contentType, body: [])
      script.body = Array("this.serverSettings = ".utf8) + Self.json(request, context).body + Array(" ;".utf8)
      return script
    case .text?: return ServerAnswer(contentType: AnswerFormat.text.contentType, body: Array("STATUS OK".utf8))
    default: return ServerAnswer(contentType: AnswerFormat.html.contentType, body: Array("<h1>STATUS OK</h1>".utf8))
    }
  }

  private static func json(_ request: ServerRequest, _ context: ServerContext) -> ServerAnswer {
    .object { json in
      json.member("status", "ok")
      json.member("name", "libre")
      json.member("version", nightscoutVersion)
      json.member("serverTime", context.now.rfc3339Milliseconds)
      json.member("serverTimeEpoch", context.now.milliseconds)
      json.member("apiEnabled", true)
      json.member("careportalEnabled", false)
      json.member("boluscalcEnabled", false)
      json.member("runtimeState", "loaded")
      json.member("authorized") { json in
        if request["token"] != nil || request["secret"] != nil {
          ReadingSession(context).write(to: &json)
        } else {
          json.null()
        }
      }
      json.member("settings") { writeSettings(context.unit, to: &$0) }
      json.object("extendedSettings") { _ in }
    }
  }

  /// The limits are in mg/dL whatever the unit is.
  private static func writeSettings(_ unit: GlucoseUnit, to json: inout JSONWriter) {
    json.object { json in
      json.member("units", unit.wireName)
      json.member("timeFormat", 24)
      json.member("customTitle", "libre")
      json.member("theme", "default")
      json.member("language", "en")
      json.object("thresholds") { json in
        json.member("bgHigh", GlucoseRange.veryHighLimit, places: 0)
        json.member("bgTargetTop", GlucoseRange.highLimit, places: 0)
        json.member("bgTargetBottom", GlucoseRange.lowLimit, places: 0)
        json.member("bgLow", GlucoseRange.veryLowLimit, places: 0)
      }
      json.member("alarmTimeagoWarn", true)
      json.member("alarmTimeagoWarnMins", 15)
      json.member("alarmTimeagoUrgent", true)
      json.member("alarmTimeagoUrgentMins", 30)
      json.member("authDefaultRoles", "readable")
      json.member("enable", ["careportal"])
      json.member("showPlugins", "")
    }
  }
}

/// Permissions of a client that has shown the secret, and the token that it may send instead from then on.
struct ReadingSession {
  /// Token of a server without a secret, which does not look at tokens.
  private static let open = "open"

  private let token: String
  private let issuedAt: Instant
  private let expiresAt: Instant

  init(_ context: ServerContext) {
    let token = context.secret?.token(now: context.now)
    self.token = token?.text ?? Self.open
    issuedAt = context.now
    expiresAt = token?.expiresAt ?? context.now.adding(minutes: 8 * 60)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("token", token)
      json.member("sub", "reader")
      json.member("permissionGroups") {
        $0.array([["*:*:read"]]) { json, group in json.array(group) { $0.string($1) } }
      }
      json.member("iat", Int(issuedAt.secondsSince1970))
      json.member("exp", Int(expiresAt.secondsSince1970))
    }
  }
}
