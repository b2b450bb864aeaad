// SPDX-License-Identifier: Apache-2.0
import SampleStore
import TextFormats

/// Addresses by which clients find out whether their secret is right and what the server can do.
///
/// | address | answer |
/// |---|---|
/// | `/api/v1/experiments/test` | `{"status":"ok"}` whenever reading is allowed: three followers test a login with it |
/// | `/api/v1/verifyauth` | 200 always, with what the secret allows |
/// | `/api/versions` | the versions of the interface |
/// | `/api/v1/adminnotifies` | no notifications |
/// | `/api/v2/authorization/request/TOKEN` | a session for the token |
/// | `/api/v2/authorization/subjects`, `/roles` | empty lists |
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
    message { json in
      json.member("canRead", isAllowed)
      json.member("canWrite", false)
      json.member("isAdmin", false)
      json.member("message", isAllowed ? "OK" : "UNAUTHORIZED")
      json.member("rolefound", isAllowed ? "FOUND" : "NOTFOUND")
      json.member("permissions", isAllowed ? "ROLE" : "DEFAULT")
    }
  }

  private static func message(_ members: (inout JSONWriter) -> Void) -> ServerAnswer {
    .object { json in
      json.member("status", 200)
      json.object("message", members)
    }
  }
}
