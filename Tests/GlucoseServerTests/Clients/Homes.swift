// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Desktops, shells and homes.
extension Client {
  static let homes: [Client] = [
    Client(
      name: "Home Assistant",
      requests: [
        ClientRequest(
          target: "/api/v1/status.json", headers: ["Content-Type": "application/json"],
          needs: ["name": .text, "version": .text, "settings": .object]),
        ClientRequest(
          target: "/api/v1/entries/sgv.json", headers: ["Content-Type": "application/json"], rows: 2...10,
          needs: [
            "0.sgv": .whole, "0.device": .text, "0.date": .milliseconds, "*.dateString": .date, "*.delta": .number,
            "0.direction": .direction,
          ]),
      ]),
    Client(
      name: "Home Assistant by version 3",
      requests: [
        ClientRequest(
          target: "/api/v2/authorization/request/x", needs: ["token": .text, "iat": .whole, "exp": .whole]),
        ClientRequest(
          target: "/api/v3/entries?limit=288&sort$desc=date&date$gte=\(day)",
          needs: ["result.*.sgv": .number, "result.*.date": .milliseconds, "result.*.direction": .direction]),
      ]),
    Client(
      name: "nightscout-menu-bar",
      requests: [
        ClientRequest(
          target: "/api/v2/properties/bgnow,buckets,delta,direction",
          needs: [
            "bgnow.last": .whole, "bgnow.mills": .milliseconds, "buckets.*.fromMills": .milliseconds,
            "buckets.*.toMills": .whole, "buckets.0.last": .whole, "delta.mgdl": .whole, "delta.display": .text,
            "direction.value": .direction,
          ], isUsable: { $0.header("ETag") != nil })
      ]),
    Client(
      name: "Nightscout Menu Bar for macOS",
      requests: [
        ClientRequest(
          target: "/api/v1/entries?count=60&token=x", headers: anything,
          isUsable: { answer in
            let rows = answer.text.split(separator: "\r\n")
            return (2...60).contains(rows.count)
              && rows.allSatisfy { row in
                let cells = row.split(separator: "\t")
                return cells.count == 5 && Int(cells[1]) != nil && Int(cells[2]) != nil && cells[3].hasPrefix("\"")
              }
          }),
        ClientRequest(
          target: "/api/v1/entries?count=60&token=x", headers: json, rows: 2...60,
          needs: ["*.date": .milliseconds, "*.sgv": .number, "*.direction": .text]),
      ]),
    Client(
      name: "nightscout-osx-menubar",
      requests: [
        ClientRequest(
          target: "/api/v1/entries/sgv.json?count=6", rows: 2...6,
          needs: ["*.sgv": .whole, "*.date": .milliseconds, "*.direction": .text])
      ]),
    Client(
      name: "nightscout-tray",
      requests: [
        ClientRequest(target: "/api/v1/status", headers: json, needs: ["settings.units": .text]),
        ClientRequest(target: "/api/v1/entries/current?count=1", headers: json, rows: 1...1, needs: ["0.sgv": .number]),
        ClientRequest(
          target: "/api/v1/entries/sgv?find[date][$gte]=\(day)&find[date][$lte]=1767265570000&count=10000",
          headers: json, rows: 2...10_000,
          needs: ["*.sgv": .number, "*.date": .milliseconds, "*.direction": .text]),
        ClientRequest(
          target: "/api/v1/treatments?find[created_at][$gte]=2025-12-31T12:06:10+01:00", headers: json, rows: 2...2),
      ]),
    Client(
      name: "widget-electron",
      requests: [
        ClientRequest(target: "/api/v2/authorization/request/x", needs: ["token": .text]),
        ClientRequest(
          target: "/api/v3/entries?sort$desc=date&limit=10&fields=sgv,direction,date&type$eq=sgv",
          needs: ["result.*.sgv": .number, "result.*.direction": .direction, "result.*.date": .milliseconds]),
        ClientRequest(target: "/api/v3/status", needs: ["result.apiVersion": .text]),
        ClientRequest(
          target: "/api/v2/entries/sgv?count=10", headers: json, rows: 2...10,
          needs: ["*.mills": .milliseconds, "*.sgv": .number, "*.direction": .direction]),
        ClientRequest(target: "/api/v2/status", headers: json, needs: ["settings.units": .text]),
      ]),
    Client(
      name: "GNOME, faymaz",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?count=2", rows: 2...2, needs: ["*.sgv": .number, "*.dateString": .date])
      ]),
    Client(
      name: "GNOME, jeroenwtf",
      requests: [
        ClientRequest(
          target: "/api/v1/status", headers: json,
          needs: [
            "settings.units": .text, "settings.thresholds.bgHigh": .whole, "settings.thresholds.bgLow": .whole,
            "settings.thresholds.bgTargetTop": .whole, "settings.thresholds.bgTargetBottom": .whole,
          ]),
        ClientRequest(
          target: "/api/v1/entries.json?count=2&token=x", rows: 2...2,
          needs: ["*.sgv": .number, "*.direction": .direction, "*.date": .milliseconds]),
      ]),
    Client(
      name: "Cinnamon",
      requests: [
        ClientRequest(
          target: "/api/v1/entries/current", headers: json, rows: 1...1,
          needs: ["0.sgv": .number, "0.direction": .text, "0.date": .milliseconds, "0._id": .text]),
        ClientRequest(target: "/api/v1/devicestatus?count=1", headers: json, rows: 0...0),
      ]),
    Client(
      name: "menu bars and prompts that read the newest value",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?count=1&token=x", rows: 1...1,
          needs: [
            "0.sgv": .whole, "0.date": .milliseconds, "0.mills": .milliseconds, "0.dateString": .date,
            "0.sysTime": .date, "0.trend": .whole, "0.utcOffset": .whole, "0.direction": .direction,
          ]),
        ClientRequest(
          target: "/api/v1/entries/current.json?token=x", rows: 1...1,
          needs: ["0.sgv": .number, "0.date": .milliseconds, "0.direction": .text, "0.delta": .number]),
        ClientRequest(target: "/api/v1/entries/sgv.json?count=1", rows: 1...1, needs: ["0.sgv": .number]),
      ]),
    Client(
      name: "widget of KDE",
      requests: [ClientRequest(target: "/pebble", needs: ["bgs.0.sgv": .text])]),
    Client(
      name: "Raycast",
      requests: [
        ClientRequest(
          target: "/api/v1/entries.json?find[date][$gte]=\(day)&count=2500&token=x", rows: 2...2_500,
          needs: ["*.sgv": .number, "*.date": .milliseconds]),
        ClientRequest(
          target: "/api/v1/entries.json?find[date][$gt]=1767265500000&count=100&token=x", rows: 0...0),
        ClientRequest(
          target: "/api/v1/treatments.json?token=x", rows: 1...100,
          needs: ["*.eventType": .text, "*.created_at": .text]),
      ]),
    Client(
      name: "nightscout-librelink-up and nightscout-data-transfer",
      requests: [
        ClientRequest(
          target: "/api/v1/entries?count=1", headers: json, rows: 1...1, needs: ["0.date": .milliseconds]),
        ClientRequest(
          target: "/api/v1/entries.json?count=all&find[dateString][$lte]=2026-01-01&find[dateString][$gte]=2025-12-31",
          rows: 97...97),
      ]),
  ]
}
