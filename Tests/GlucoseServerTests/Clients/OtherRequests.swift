// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import GlucoseServer

/// Requests for anything but lists of glucose values.
extension ClientRequest {
  static let treatments: [ClientRequest] = [
    .init("xDrip+", "/api/v1/treatments", 3...3, also: ["0.glucose": .number, "*.eventType": .text]),
    .init(
      "xDrip4iOS", "/api/v1/treatments?find[created_at][$gte]=2025-12-31T11:06:10Z", 2...2, headers: json,
      also: ["*.glucose": .number, "*.units": .text]),
    .init(
      "nightscout-tray", "/api/v1/treatments?find[created_at][$gte]=2025-12-31T12:06:10+01:00", 2...2, headers: json),
    .init("Shuggah", "/api/v1/treatments?find[created_at][$gt]=2026-01-01T12:00:00+01:00", 0...0),
    .init(
      "Nightguard",
      "/api/v1/treatments?count=1&find[eventType]=Sensor%20Change&find[created_at][$gte]=2026-01-01&token=x", 0...0),
    .init(
      "LoopFollow",
      "/api/v1/treatments.json?find%5BeventType%5D=Sensor%20Start&find%5Bcreated_at%5D%5B$gte%5D=2025-12-01T00:00:00Z&count=1",
      1...1),
    .init(
      "LoopFollow",
      "/api/v1/treatments.json?find[eventType]=BG%20Check&find[created_at][$gte]=2025-12-31T11:06:10.000Z&find[created_at][$lte]=2026-01-01T11:06:10.000Z&count=5000",
      2...2, also: ["*.glucose": .number, "*.units": .text]),
    .init("Trio", "/api/v1/treatments.json?find[carbs][$exists]=true&find[$and][0][enteredBy][$ne]=Trio", 0...0),
    .init("Strimma", "/api/v1/treatments.json?find[created_at][$gte]=2025-12-31T11:06:10Z&count=100", 2...2),
    .init(
      "Spike",
      "/api/v1/treatments.json?find[created_at][$gte]=2025-12-31T00:00:00Z&find[eventType][$nin][0]=Temp+Basal", 2...2),
    .init(
      "Scoutnight", "/api/v1/treatments.json?find[eventType]=/Sensor%20Start%7CSensor%20Change/&token=x", 1...1),
    .init("Raycast, export in Python", "/api/v1/treatments.json?token=x", 1...100),
    .init(
      "Urchin for Pebble",
      "/api/v1/treatments.json?find[eventType]=Temp+Basal&find[created_at][$gte]=2025-12-31T00:00:00Z", 0...0),
    .init("Urchin for Pebble", "/api/v1/treatments.json?find[insulin][$exists]=true", 0...0),
    .init("Bangle.js", "/treatments.json?count=100", 1...100),
  ]

  static let emptyLists: [ClientRequest] = [
    .init(
      "xDrip+, Nightguard, LoopFollow, Nightscout Reporter, export in Python",
      "/api/v1/devicestatus.json?count=1&token=x", 0...0),
    .init("Scoutnight", "/api/v1/devicestatus?count=1&token=x", 0...0),
    .init("Cinnamon", "/api/v1/devicestatus?count=1", 0...0, headers: json),
    .init(
      "Urchin for Pebble",
      "/api/v1/devicestatus.json?find[$or][0][openaps][$exists]=true&find[$or][1][pump][$exists]=true", 0...0),
    .init("LoopFollow", "/api/v1/profiles.json?count=1&find[startDate][$lte]=2026-01-01T11:06:10Z", 0...0),
    .init("Loop", "/api/v1/profile/current", 0...0, headers: json),
    .init("Nightscout Reporter, Urchin for Pebble, export in Python", "/api/v1/profile.json?count=1&token=x", 0...0),
    .init("Nightscout Reporter", "/api/v1/activity.json?token=x", 0...0),
    .init("LoopFollow", "/api/v2/authorization/subjects", 0...0),
  ]

  static let others: [ClientRequest] = [
    .init(
      "Nightguard, LoopFollow, Strimma, Nightscout Reporter, Ulanzi", "/api/v1/status.json?token=x",
      also: ["authorized.token": .text, "authorized.permissionGroups.0.0": .exactly(.string("*:*:read"))]),
    .init("Home Assistant", "/api/v1/status.json", headers: ["Content-Type": "application/json"]),
    .init("nightscout-tray, GNOME", "/api/v1/status", headers: json),
    .init("widget-electron", "/api/v2/status", headers: json),
    .init("Bangle.js, FlashCGM for Fitbit", "/status.json"),
    .init(
      "xDrip4iOS, Loop", "/api/v1/experiments/test", headers: json, also: ["status": .exactly(.string("ok"))]),
    .init("Shuggah", "/api/v1/experiments/test", also: ["status": .text]),
    .init(
      "Nightguard, Spike, Glance and FlashCGM for Fitbit", "/api/v2/properties?token=x",
      also: [
        "bgnow.last": .whole, "bgnow.mills": .milliseconds, "bgnow.sgvs.0.direction": .direction,
        "delta.display": .text, "delta.mgdl": .whole,
      ]),
    .init(
      "nightscout-menu-bar", "/api/v2/properties/bgnow,buckets,delta,direction",
      also: [
        "bgnow.last": .whole, "bgnow.mills": .milliseconds, "buckets.*.fromMills": .milliseconds,
        "buckets.*.toMills": .whole, "buckets.0.last": .whole, "delta.mgdl": .whole, "delta.display": .text,
        "direction.value": .direction,
      ], isUsable: { $0.header("ETag") != nil }),
    .init(
      "M5Stack", "/api/v2/properties/iob,cob,delta,basal", also: ["delta.mgdl": .whole, "delta.display": .text]),
    .init("LoopFollow", "/api/v2/properties/dbsize", also: ["dbsize": .exactly(.null)]),
    .init(
      "GlucoDataHandler, KDE, Urchin for Pebble", "/pebble",
      also: [
        "bgs.0.sgv": .text, "bgs.0.datetime": .milliseconds, "bgs.0.trend": .whole, "bgs.0.direction": .direction,
      ]),
    .init(
      "Glance for Fitbit", "/pebble?count=47&token=x",
      also: ["bgs.*.sgv": .text, "bgs.0.bgdelta": .number, "bgs.1.sgv": .text]),
    .init(
      "nightscout_exporter, Urchin for Pebble", "/pebble?count=2&units=mmol",
      also: ["bgs.*.sgv": .text, "bgs.0.bgdelta": .text, "bgs.1.sgv": .text, "bgs.*.trend": .whole]),
    .init(
      "AAPS, Home Assistant, widget-electron by version 3", "/api/v2/authorization/request/x-0123456789abcdef",
      also: ["token": .text, "iat": .whole, "exp": .whole]),
  ]

  static let versionThree: [ClientRequest] = [
    .init("AAPS, widget-electron", "/api/v3/status", also: ["result.apiVersion": .text]),
    .init(
      "AAPS", "/api/v3/lastModified",
      also: ["result.collections.entries": .milliseconds, "result.collections.treatments": .milliseconds]),
    .init(
      "AAPS", "/api/v3/entries?sort=date&date$gt=\(tenMinutes)&limit=500",
      also: ["result.*.identifier": .text, "result.*.type": .text]),
    .init(
      "AAPS", "/api/v3/entries/history/\(tenMinutes)?limit=500", also: ["result.*.srvModified": .milliseconds]),
    .init("AAPS", "/api/v3/food?limit=500", also: ["result": .emptyList]),
    .init("Home Assistant", "/api/v3/entries?limit=288&sort$desc=date&date$gte=\(day)"),
    .init("widget-electron", "/api/v3/entries?sort$desc=date&limit=10&fields=sgv,direction,date&type$eq=sgv"),
  ]
}
