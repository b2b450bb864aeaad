// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import GlucoseServer

/// Clocks, and watches that ask the phone.
extension Client {
  static let watches: [Client] = [
    Client(
      name: "Ulanzi clock",
      requests: [
        ClientRequest(
          target: "/api/v1/entries?find[date][$gt]=\(threeHours)&find[date][$lte]=1767265570000&count=30",
          headers: json, rows: 2...30,
          needs: ["*.sgv": .whole, "*.date": .milliseconds, "*.trend": .whole, "*.direction": .direction]),
        ClientRequest(
          target: "/sgv.json?brief_mode=Y&count=30", rows: 2...30, needs: ["*.sgv": .whole, "*.date": .milliseconds]),
        ClientRequest(
          target: "/api/v1/status.json",
          needs: [
            "settings.thresholds.bgHigh": .whole, "settings.thresholds.bgLow": .whole,
            "settings.thresholds.bgTargetTop": .whole, "settings.thresholds.bgTargetBottom": .whole,
          ]),
      ]),
    Client(
      name: "M5Stack",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?find[type][$eq]=sgv&count=10&token=x", rows: 2...10,
          needs: ["*.sgv": .number, "*.date": .milliseconds, "*.direction": .direction, "*.device": .text],
          isUsable: { $0.body.count < 16_384 }),
        ClientRequest(target: "/api/v1/entries.json?count=10", rows: 2...10, needs: ["*.sgv": .number]),
        ClientRequest(
          target: "/api/v2/properties/iob,cob,delta,basal", needs: ["delta.mgdl": .whole, "delta.display": .text]),
      ]),
    Client(
      name: "DiaNight",
      requests: [
        ClientRequest(
          target: "/sgv.json?brief_mode=Y", rows: 2...24, needs: ["*.sgv": .number, "*.date": .milliseconds])
      ]),
    Client(
      name: "Bangle.js",
      requests: [
        ClientRequest(
          target: "/sgv.json?brief_mode=Y&all_data=Y&count=26", rows: 2...26,
          needs: ["0.units_hint": .exactly(.string("mgdl")), "*.sgv": .number, "*.direction": .direction]),
        ClientRequest(target: "/treatments.json?count=100", rows: 1...100, needs: ["*.created_at": .milliseconds]),
        ClientRequest(
          target: "/status.json",
          needs: ["settings.thresholds.bgLow": .whole, "settings.thresholds.bgHigh": .whole]),
      ]),
    Client(
      name: "Glance for Fitbit",
      requests: [
        ClientRequest(
          target: "/sgv.json?count=47&steps=5000&heart=61&all_data=true", rows: 2...47,
          needs: ["0.delta": .number, "0.units_hint": .text, "*.sgv": .number]),
        ClientRequest(
          target: "/pebble?count=47&token=x", needs: ["bgs.*.sgv": .text, "bgs.0.bgdelta": .number, "bgs.1.sgv": .text]),
        ClientRequest(target: "/api/v2/properties", needs: ["bgnow": .object]),
      ]),
    Client(
      name: "FlashCGM for Fitbit",
      requests: [
        ClientRequest(target: "/sgv.json?count=41", rows: 2...41, needs: ["*.sgv": .number]),
        ClientRequest(target: "/status.json", needs: ["settings": .object]),
        ClientRequest(target: "/api/v2/properties", needs: ["delta.mgdl": .whole]),
      ]),
    Client(
      name: "Sentinel for Fitbit",
      requests: [
        ClientRequest(
          target: "/sgv.json?count=48", rows: 2...48,
          needs: ["0.type": .exactly(.string("sgv")), "*.sgv": .number, "*.date": .milliseconds])
      ]),
    Client(
      name: "faces and fields of Garmin",
      requests: [
        ClientRequest(
          target: "/sgv.json?brief_mode=Y&count=18&all_data=Y&steps=5000&heart=61",
          headers: ["Content-Type": "application/x-www-form-urlencoded"], rows: 2...18,
          needs: [
            "*.sgv": .whole, "*.date": .milliseconds, "0.delta": .number, "*.direction": .direction,
            "0.steps_result": .exactly(.number(200)), "0.heart_result": .exactly(.number(200)),
          ]),
        ClientRequest(target: "/sgv.json?count=1", rows: 1...1, needs: ["0.delta": .number]),
        ClientRequest(target: "/sgv.json?count=90", rows: 2...90),
        ClientRequest(
          target: "/api/v1/entries/sgv.json?count=3/&token=x", rows: 2...3, needs: ["0.delta": .number]),
        ClientRequest(
          target: "/api/v1/entries.json?count=90&find%5Bdate%5D%5B%24gt%5D=\(day)", rows: 2...90,
          needs: ["*.sgv": .whole, "*.date": .milliseconds]),
      ]),
    Client(
      name: "Urchin and T1000 for Pebble",
      requests: [
        ClientRequest(
          target: "/api/v1/entries/sgv.json?count=1000&find[date][$gt]=\(day)", rows: 2...1_000,
          needs: ["*.sgv": .number, "*.date": .milliseconds, "*.trend": .whole, "*.direction": .text]),
        ClientRequest(target: "/pebble", needs: ["bgs.0.sgv": .text]),
        ClientRequest(target: "/pebble?units=mmol&count=2", needs: ["bgs.0.sgv": .exactly(.string("6.5"))]),
        ClientRequest(
          target:
            "/api/v1/devicestatus.json?find[$or][0][openaps][$exists]=true&find[$or][1][pump][$exists]=true",
          rows: 0...0),
        ClientRequest(
          target:
            "/api/v1/treatments.json?find[eventType]=Temp+Basal&find[created_at][$gte]=2025-12-31T00:00:00Z",
          rows: 0...0),
        ClientRequest(target: "/api/v1/treatments.json?find[insulin][$exists]=true", rows: 0...0),
        ClientRequest(target: "/api/v1/entries/cal.json", rows: 0...0),
        ClientRequest(target: "/api/v1/profile.json", rows: 0...0),
      ]),
    Client(
      name: "rigs of oref0",
      requests: [
        ClientRequest(
          target: "/sgv.json?count=288", rows: 2...288,
          needs: ["*.sgv": .whole, "*.date": .milliseconds, "*.dateString": .date, "*.noise": .whole]),
        ClientRequest(target: "/api/v1/entries/sgv.json?count=576", rows: 2...576, needs: ["*.dateString": .date]),
      ]),
    Client(
      name: "readers of Juggluco in Python",
      requests: [
        ClientRequest(
          target: "/sgv.json?count=288&interval=60", rows: 17...288, needs: ["*.sgv": .number, "*.date": .milliseconds])
      ]),
    Client(
      name: "scripts, glasses and bicycle computers",
      requests: [
        ClientRequest(target: "/sgv.json?count=1", rows: 1...1, needs: ["0.sgv": .number, "0.direction": .direction]),
        ClientRequest(target: "/api/v1/entries/sgv.json?count=10", rows: 2...10, needs: ["0.sgv": .number]),
      ]),
  ]
}
