// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import GlucoseServer

/// Requests for anything but lists of glucose values.
extension ClientRequest {
  static let treatments: [ClientRequest] = [
    ClientRequest(
      programs: "xDrip+", target: "/api/v1/treatments", rows: 3...3,
      needs: [
        "*._id": .text, "*.created_at": .date, "0.glucose": .number, "0.glucoseType": .exactly(.string("Finger")),
        "0.units": .exactly(.string("mmol")), "1.units": .exactly(.string("mg/dl")),
      ]),
    ClientRequest(
      programs: "xDrip4iOS", target: "/api/v1/treatments?find[created_at][$gte]=2025-12-31T11:06:10Z", headers: json,
      rows: 2...2, needs: ["*._id": .text, "*.created_at": .date, "*.glucose": .number, "*.units": .text]),
    ClientRequest(
      programs: "nightscout-tray", target: "/api/v1/treatments?find[created_at][$gte]=2025-12-31T12:06:10+01:00",
      headers: json, rows: 2...2),
    .empty("Shuggah", "/api/v1/treatments?find[created_at][$gt]=2026-01-01T12:00:00+01:00"),
    .empty(
      "Nightguard",
      "/api/v1/treatments?count=1&find[eventType]=Sensor%20Change&find[created_at][$gte]=2026-01-01&token=x"),
    ClientRequest(
      programs: "LoopFollow",
      target:
        "/api/v1/treatments.json?find%5BeventType%5D=Sensor%20Start&find%5Bcreated_at%5D%5B$gte%5D=2025-12-01T00:00:00Z&count=1",
      rows: 1...1, needs: ["0.created_at": .date]),
    ClientRequest(
      programs: "LoopFollow",
      target:
        "/api/v1/treatments.json?find[eventType]=BG%20Check&find[created_at][$gte]=2025-12-31T11:06:10.000Z&find[created_at][$lte]=2026-01-01T11:06:10.000Z&count=5000",
      rows: 2...2, needs: ["*.created_at": .date, "*.glucose": .number, "*.units": .text]),
    .empty("Trio", "/api/v1/treatments.json?find[carbs][$exists]=true&find[$and][0][enteredBy][$ne]=Trio"),
    ClientRequest(
      programs: "Strimma",
      target: "/api/v1/treatments.json?find[created_at][$gte]=2025-12-31T11:06:10Z&count=100", rows: 2...2),
    ClientRequest(
      programs: "Spike",
      target: "/api/v1/treatments.json?find[created_at][$gte]=2025-12-31T00:00:00Z&find[eventType][$nin][0]=Temp+Basal",
      rows: 2...2),
    ClientRequest(
      programs: "Scoutnight",
      target: "/api/v1/treatments.json?find[eventType]=/Sensor%20Start%7CSensor%20Change/&token=x", rows: 1...1),
    ClientRequest(
      programs: "Raycast, export in Python", target: "/api/v1/treatments.json?token=x", rows: 1...100,
      needs: ["*.eventType": .text, "*.created_at": .text]),
    .empty(
      "Urchin for Pebble",
      "/api/v1/treatments.json?find[eventType]=Temp+Basal&find[created_at][$gte]=2025-12-31T00:00:00Z"),
    .empty("Urchin for Pebble", "/api/v1/treatments.json?find[insulin][$exists]=true"),
    ClientRequest(
      programs: "Bangle.js", target: "/treatments.json?count=100", rows: 1...100,
      needs: ["*.created_at": .milliseconds]),
  ]

  static let emptyLists: [ClientRequest] = [
    .empty(
      "xDrip+, Nightguard, LoopFollow, Nightscout Reporter, export in Python",
      "/api/v1/devicestatus.json?count=1&token=x"),
    .empty("Scoutnight", "/api/v1/devicestatus?count=1&token=x"),
    .empty("Cinnamon", "/api/v1/devicestatus?count=1", headers: json),
    .empty(
      "Urchin for Pebble",
      "/api/v1/devicestatus.json?find[$or][0][openaps][$exists]=true&find[$or][1][pump][$exists]=true"),
    .empty("LoopFollow", "/api/v1/profiles.json?count=1&find[startDate][$lte]=2026-01-01T11:06:10Z"),
    .empty("Loop", "/api/v1/profile/current", headers: json),
    .empty("Nightscout Reporter, Urchin for Pebble, export in Python", "/api/v1/profile.json?count=1&token=x"),
    .empty("Nightscout Reporter", "/api/v1/activity.json?token=x"),
    .empty("LoopFollow", "/api/v2/authorization/subjects"),
  ]

  static let others: [ClientRequest] = [
    ClientRequest(
      programs: "Nightguard, LoopFollow, Strimma, Nightscout Reporter, Ulanzi", target: "/api/v1/status.json?token=x",
      needs: [
        "status": .exactly(.string("ok")), "settings.units": .exactly(.string("mg/dl")),
        "settings.customTitle": .text, "authorized.token": .text,
        "authorized.permissionGroups.0.0": .exactly(.string("*:*:read")), "settings.thresholds.bgHigh": .whole,
        "settings.thresholds.bgLow": .whole, "settings.thresholds.bgTargetTop": .whole,
        "settings.thresholds.bgTargetBottom": .whole,
      ]),
    ClientRequest(
      programs: "Home Assistant", target: "/api/v1/status.json", headers: ["Content-Type": "application/json"],
      needs: ["name": .text, "version": .text, "settings": .object]),
    ClientRequest(
      programs: "nightscout-tray, GNOME", target: "/api/v1/status", headers: json,
      needs: ["settings.units": .text, "settings.thresholds.bgHigh": .whole]),
    ClientRequest(
      programs: "widget-electron", target: "/api/v2/status", headers: json, needs: ["settings.units": .text]),
    ClientRequest(
      programs: "Bangle.js, FlashCGM for Fitbit", target: "/status.json",
      needs: ["settings.thresholds.bgLow": .whole, "settings.thresholds.bgHigh": .whole]),
    ClientRequest(
      programs: "xDrip4iOS, Loop", target: "/api/v1/experiments/test", headers: json,
      needs: ["status": .exactly(.string("ok"))]),
    ClientRequest(programs: "Shuggah", target: "/api/v1/experiments/test", needs: ["status": .text]),
    ClientRequest(
      programs: "Nightguard, Spike, Glance and FlashCGM for Fitbit", target: "/api/v2/properties?token=x",
      needs: [
        "bgnow.last": .whole, "bgnow.mills": .milliseconds, "bgnow.sgvs.0.direction": .direction,
        "delta.display": .text, "delta.mgdl": .whole,
      ]),
    ClientRequest(
      programs: "nightscout-menu-bar", target: "/api/v2/properties/bgnow,buckets,delta,direction",
      needs: [
        "bgnow.last": .whole, "bgnow.mills": .milliseconds, "buckets.*.fromMills": .milliseconds,
        "buckets.*.toMills": .whole, "buckets.0.last": .whole, "delta.mgdl": .whole, "delta.display": .text,
        "direction.value": .direction,
      ], isUsable: { $0.header("ETag") != nil }),
    ClientRequest(
      programs: "M5Stack", target: "/api/v2/properties/iob,cob,delta,basal",
      needs: ["delta.mgdl": .whole, "delta.display": .text]),
    ClientRequest(programs: "LoopFollow", target: "/api/v2/properties/dbsize", needs: ["dbsize": .exactly(.null)]),
    ClientRequest(
      programs: "GlucoDataHandler, KDE, Urchin for Pebble", target: "/pebble",
      needs: [
        "bgs.0.sgv": .text, "bgs.0.datetime": .milliseconds, "bgs.0.trend": .whole, "bgs.0.direction": .direction,
      ]),
    ClientRequest(
      programs: "Glance for Fitbit", target: "/pebble?count=47&token=x",
      needs: ["bgs.*.sgv": .text, "bgs.0.bgdelta": .number, "bgs.1.sgv": .text]),
    ClientRequest(
      programs: "nightscout_exporter, Urchin for Pebble", target: "/pebble?count=2&units=mmol",
      needs: [
        "bgs.*.sgv": .text, "bgs.0.sgv": .exactly(.string("6.5")), "bgs.0.bgdelta": .text, "bgs.1.sgv": .text,
        "bgs.*.trend": .whole,
      ]),
    ClientRequest(
      programs: "AAPS, Home Assistant, widget-electron by version 3",
      target: "/api/v2/authorization/request/x-0123456789abcdef",
      needs: ["token": .text, "iat": .whole, "exp": .whole]),
  ]

  static let versionThree: [ClientRequest] = [
    ClientRequest(
      programs: "AAPS, widget-electron", target: "/api/v3/status",
      needs: [
        "result.apiPermissions.devicestatus": .text, "result.apiPermissions.entries": .text,
        "result.apiPermissions.food": .text, "result.apiPermissions.profile": .text,
        "result.apiPermissions.settings": .text, "result.apiPermissions.treatments": .text,
        "result.apiVersion": .text,
      ]),
    ClientRequest(
      programs: "AAPS", target: "/api/v3/lastModified",
      needs: ["result.collections.entries": .milliseconds, "result.collections.treatments": .milliseconds]),
    ClientRequest(
      programs: "AAPS", target: "/api/v3/entries?sort=date&date$gt=\(tenMinutes)&limit=500",
      needs: [
        "result.*.type": .exactly(.string("sgv")), "result.*.sgv": .number, "result.*.date": .milliseconds,
        "result.*.identifier": .text, "result.*.direction": .direction,
      ]),
    ClientRequest(
      programs: "AAPS", target: "/api/v3/entries/history/\(tenMinutes)?limit=500",
      needs: ["result.*.srvModified": .milliseconds], isUsable: { $0.header("ETag") == "W/\"1767265500000\"" }),
    ClientRequest(programs: "AAPS", target: "/api/v3/food?limit=500", needs: ["result": .emptyList]),
    ClientRequest(
      programs: "Home Assistant", target: "/api/v3/entries?limit=288&sort$desc=date&date$gte=\(day)",
      needs: ["result.*.sgv": .number, "result.*.date": .milliseconds, "result.*.direction": .direction]),
    ClientRequest(
      programs: "widget-electron",
      target: "/api/v3/entries?sort$desc=date&limit=10&fields=sgv,direction,date&type$eq=sgv",
      needs: ["result.*.sgv": .number, "result.*.direction": .direction, "result.*.date": .milliseconds]),
  ]
}
