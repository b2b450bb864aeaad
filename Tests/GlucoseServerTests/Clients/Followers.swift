// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Followers and apps on a phone.
extension Client {
  static let followers: [Client] = [
    Client(
      name: "xDrip+ as a follower of Nightscout",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?count=10&rr=1767265570000", rows: 2...10,
          needs: ["*.date": .milliseconds, "*.sgv": .whole, "*.noise": .whole]),
        ClientRequest(
          target: "/api/v1/entries.json?count=2880&find[date][$gt]=\(day)&rr=1767265570000", rows: 2...2_880,
          needs: ["*.date": .milliseconds, "*.sgv": .whole]),
        ClientRequest(
          target: "/api/v1/treatments", rows: 3...3,
          needs: [
            "*._id": .text, "*.created_at": .date, "0.glucose": .number, "0.glucoseType": .exactly(.string("Finger")),
            "0.units": .exactly(.string("mmol")), "1.units": .exactly(.string("mg/dl")),
          ]),
        ClientRequest(target: "/api/v1/devicestatus.json?count=1", rows: 0...0),
      ]),
    Client(
      name: "xDrip4iOS",
      requests: [
        ClientRequest(
          target: "/api/v1/entries/sgv.json?count=120&token=x", headers: json, rows: 2...120,
          needs: ["*.sgv": .whole, "*.date": .milliseconds]),
        ClientRequest(
          target: "/api/v1/treatments?find[created_at][$gte]=2025-12-31T11:06:10Z", headers: json, rows: 2...2,
          needs: ["*._id": .text, "*.created_at": .date, "*.glucose": .number, "*.units": .text]),
        ClientRequest(target: "/api/v1/experiments/test", headers: json, needs: ["status": .exactly(.string("ok"))]),
      ]),
    Client(
      name: "Nightguard",
      requests: [
        ClientRequest(
          target: "/api/v2/properties?token=x",
          needs: [
            "bgnow.last": .whole, "bgnow.mills": .milliseconds, "bgnow.sgvs.0.direction": .direction,
            "delta.display": .text, "delta.mgdl": .whole,
          ]),
        ClientRequest(
          target:
            "/api/v1/entries.json?find[date][$gt]=\(day).0&find[date][$lte]=1767265570000.0&count=1440&token=x",
          rows: 90...110, needs: ["*.sgv": .whole, "*.date": .milliseconds, "*.direction": .direction]),
        ClientRequest(target: "/api/v1/status.json?token=x", needs: ["settings.units": .exactly(.string("mg/dl"))]),
        ClientRequest(
          target:
            "/api/v1/treatments?count=1&find[eventType]=Sensor%20Change&find[created_at][$gte]=2026-01-01&token=x",
          rows: 0...0),
        ClientRequest(target: "/api/v1/devicestatus.json?count=5&token=x", rows: 0...0),
      ]),
    Client(
      name: "LoopFollow",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?count=600&find[date][$gte]=\(day)&find[type][$ne]=cal&token=x", rows: 2...600,
          needs: ["*.sgv": .number, "*.date": .milliseconds, "*.direction": .direction]),
        ClientRequest(
          target: "/api/v1/status.json?token=x",
          needs: ["authorized.token": .text, "authorized.permissionGroups.0.0": .exactly(.string("*:*:read"))]),
        ClientRequest(
          target:
            "/api/v1/treatments.json?find%5BeventType%5D=Sensor%20Start&find%5Bcreated_at%5D%5B$gte%5D=2025-12-01T00:00:00Z&count=1",
          rows: 1...1, needs: ["0.created_at": .date]),
        ClientRequest(
          target:
            "/api/v1/treatments.json?find[eventType]=BG%20Check&find[created_at][$gte]=2025-12-31T11:06:10.000Z&find[created_at][$lte]=2026-01-01T11:06:10.000Z&count=5000",
          rows: 2...2, needs: ["*.created_at": .date, "*.glucose": .number, "*.units": .text]),
        ClientRequest(target: "/api/v1/profiles.json?count=1&find[startDate][$lte]=2026-01-01T11:06:10Z", rows: 0...0),
        ClientRequest(target: "/api/v1/devicestatus.json?count=1", rows: 0...0),
        ClientRequest(target: "/api/v2/properties/dbsize", needs: ["dbsize": .exactly(.null)]),
        ClientRequest(target: "/api/v2/authorization/subjects", rows: 0...0),
      ]),
    Client(
      name: "Loop, and LoopCaregiver, with Nightscout as its sensor",
      requests: [
        ClientRequest(
          target:
            "/api/v1/entries?find%5BdateString%5D%5B$gte%5D=2026-01-01T09:06:10Z&find%5BdateString%5D%5B$lte%5D=2026-01-01T11:06:10Z&count=24",
          headers: json, rows: 2...24,
          needs: ["*._id": .text, "*.date": .milliseconds, "*.sgv": .number, "*.trend": .whole]),
        ClientRequest(target: "/api/v1/experiments/test", headers: json, needs: ["status": .text]),
        ClientRequest(target: "/api/v1/profile/current", headers: json, rows: 0...0),
      ]),
    Client(
      name: "Nightscout API client for Loop and FreeAPS",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?count=12", rows: 2...12,
          needs: [
            "*.date": .milliseconds, "*.sgv": .whole, "*.direction": .direction, "*.noise": .exactly(.number(1)),
          ],
          isUsable: { !$0.text.contains("filtered") })
      ]),
    Client(
      name: "Trio",
      requests: [
        ClientRequest(
          target: "/api/v1/entries/sgv.json?count=1600&find%5BdateString%5D%5B$gte%5D=2026-01-01T09:06:10.000Z",
          rows: 2...1_600, needs: ["*.date": .milliseconds, "*.dateString": .date, "*.direction": .direction]),
        ClientRequest(
          target: "/api/v1/treatments.json?find[carbs][$exists]=true&find[$and][0][enteredBy][$ne]=Trio", rows: 0...0),
      ]),
    Client(
      name: "AAPS by version 3, through a proxy with TLS",
      requests: [
        ClientRequest(
          target: "/api/v2/authorization/request/x-0123456789abcdef",
          needs: ["token": .text, "iat": .whole, "exp": .whole]),
        ClientRequest(
          target: "/api/v3/status",
          needs: [
            "result.apiPermissions.devicestatus": .text, "result.apiPermissions.entries": .text,
            "result.apiPermissions.food": .text, "result.apiPermissions.profile": .text,
            "result.apiPermissions.settings": .text, "result.apiPermissions.treatments": .text,
            "result.apiVersion": .text,
          ]),
        ClientRequest(
          target: "/api/v3/lastModified",
          needs: ["result.collections.entries": .milliseconds, "result.collections.treatments": .milliseconds]),
        ClientRequest(
          target: "/api/v3/entries?sort=date&date$gt=\(tenMinutes)&limit=500",
          needs: [
            "result.*.type": .exactly(.string("sgv")), "result.*.sgv": .number, "result.*.date": .milliseconds,
            "result.*.identifier": .text, "result.*.direction": .direction,
          ]),
        ClientRequest(
          target: "/api/v3/entries/history/\(tenMinutes)?limit=500", needs: ["result.*.srvModified": .milliseconds],
          isUsable: { $0.header("ETag") == "W/\"1767265500000\"" }),
        ClientRequest(target: "/api/v3/food?limit=500", needs: ["result": .emptyList]),
      ]),
    Client(
      name: "GlucoDataHandler as a follower",
      requests: [
        ClientRequest(
          target: "/pebble",
          needs: [
            "bgs.0.sgv": .text, "bgs.0.datetime": .milliseconds, "bgs.0.trend": .whole, "bgs.0.direction": .direction,
          ]
        ),
        ClientRequest(
          target: "/api/v1/entries/sgv.json?find[date][$gt]=\(day)&count=1440", rows: 2...1_440,
          needs: ["*.type": .exactly(.string("sgv")), "*.date": .milliseconds, "*.sgv": .number]),
        ClientRequest(
          target: "/api/v1/entries/current.json", rows: 1...1,
          needs: ["0.type": .exactly(.string("sgv")), "0.date": .milliseconds, "0.sgv": .number]),
      ]),
    Client(
      name: "Strimma",
      requests: [
        ClientRequest(target: "/api/v1/status.json", needs: ["settings.customTitle": .text]),
        ClientRequest(
          target: "/api/v1/entries.json?find[date][$gt]=\(day)&count=2016&find[date][$lt]=1767265570000",
          rows: 2...2_016,
          needs: ["*.sgv": .whole, "*.date": .milliseconds, "*.type": .text, "*.direction": .direction]),
        ClientRequest(
          target: "/api/v1/treatments.json?find[created_at][$gte]=2025-12-31T11:06:10Z&count=100", rows: 2...2),
      ]),
    Client(
      name: "Spike as a follower",
      requests: [
        ClientRequest(
          target: "/api/v1/entries/sgv.json?find[dateString][$gte]=\(day)&count=289", rows: 2...289,
          needs: ["*.date": .milliseconds, "*.sgv": .number, "*.noise": .whole, "*._id": .text]),
        ClientRequest(
          target:
            "/api/v1/treatments.json?find[created_at][$gte]=2025-12-31T00:00:00Z&find[eventType][$nin][0]=Temp+Basal",
          rows: 2...2),
        ClientRequest(target: "/api/v2/properties", needs: ["bgnow": .object]),
      ]),
    Client(
      name: "Shuggah",
      requests: [
        ClientRequest(target: "/api/v1/experiments/test", needs: ["status": .text]),
        ClientRequest(target: "/api/v1/entries/sgv.json", rows: 2...10, needs: ["*.sgv": .whole]),
        ClientRequest(
          target: "/api/v1/treatments?find[created_at][$gt]=2026-01-01T12:00:00+01:00", rows: 0...0),
      ]),
    Client(
      name: "Nightscout Reporter",
      requests: [
        ClientRequest(
          target: "/api/v1/status.json?token=x", needs: ["status": .exactly(.string("ok")), "settings.units": .text]),
        ClientRequest(
          target: "/api/v1/entries.json?find[date][$gte]=\(day)&find[date][$lte]=1767265570000&count=100000&token=x",
          rows: 2...100_000,
          needs: ["*.type": .text, "*.date": .milliseconds, "*.sgv": .number, "*.direction": .text, "*.device": .text]),
        ClientRequest(target: "/api/v1/profile.json?count=1&token=x", rows: 0...0),
        ClientRequest(target: "/api/v1/activity.json?token=x", rows: 0...0),
        ClientRequest(target: "/api/v1/devicestatus.json?count=1&token=x", rows: 0...0),
      ]),
    Client(
      name: "Scoutnight",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?find[type]=sgv&find[date][$gte]=\(day)&count=26000&token=x", rows: 2...26_000,
          needs: ["*.sgv": .number, "*.date": .milliseconds]),
        ClientRequest(
          target: "/api/v1/entries.json?find[type]=sgv&find[date][$gte]=\(day)}&count=26000&token=x", rows: 2...26_000),
        ClientRequest(
          target: "/api/v1/treatments.json?find[eventType]=/Sensor%20Start%7CSensor%20Change/&token=x", rows: 1...1),
        ClientRequest(target: "/api/v1/devicestatus?count=1&token=x", rows: 0...0),
      ]),
  ]
}
