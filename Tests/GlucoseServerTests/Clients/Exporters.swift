// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Programs that publish the values elsewhere.
extension Client {
  static let exporters: [Client] = [
    Client(
      name: "nightscout_exporter, which needs mmol/L",
      requests: [
        ClientRequest(
          target: "/pebble?count=2&units=mmol",
          needs: ["bgs.*.sgv": .text, "bgs.0.bgdelta": .text, "bgs.1.sgv": .text, "bgs.*.trend": .whole])
      ]),
    Client(
      name: "Nightscout-Exporter",
      requests: [
        ClientRequest(
          target: "/api/v1/entries?count=2&token=", headers: json, rows: 2...2,
          needs: [
            "*.sgv": .whole, "*.noise": .whole, "*.utcOffset": .whole, "*.sysTime": .date, "*.dateString": .date,
          ])
      ]),
    Client(
      name: "export of all data in Python",
      requests: ["entries", "treatments", "devicestatus", "profile"].map {
        ClientRequest(target: "/api/v1/\($0).json?token=x", rows: 0...100)
      }),
  ]
}
