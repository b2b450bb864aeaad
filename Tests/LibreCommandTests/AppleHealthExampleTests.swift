// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The file for an app on an iPhone, against a stand-in for Apple's framework.
struct AppleHealthExampleTests {
  @Test("the example for an app saves each good sample of a libre document with its time, value and id")
  func saves() throws {
    let sandbox = try Sandbox()
    try sandbox.copy("active.hex", to: "dump.hex")
    try sandbox.done("import", "dump.hex", "--read-at", "2024-05-02T10:15:00Z", "--store", "s.sqlite")
    let history = try sandbox.run("history", "--from", "all", "--json", "--store", "s.sqlite")
    try sandbox.write(history.text, to: "history.json")
    try sandbox.write(
      """
      import Foundation
      let json = try Data(contentsOf: URL(fileURLWithPath: "history.json"))
      print(try await SaveToAppleHealth(version: 7).save(json))
      """, to: "main.swift")
    let built = try sandbox.shell(
      """
      swiftc -parse-as-library -emit-module -emit-library -static -module-name HealthKit "$STAND_IN" -o libHealthKit.a &&
      swiftc -I . -L . -lHealthKit main.swift "$EXAMPLE" -o example
      """,
      environment: [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        "STAND_IN": Repository.root.appendingPathComponent("Tests/LibreCommandTests/StandIns/HealthKit.swift").path,
        "EXAMPLE": Repository.root.appendingPathComponent("tools/apple-health/SaveToAppleHealth.swift").path,
      ])
    #expect(built.status == 0, "\(built.errors)")
    let saved = try sandbox.shell("./example")
    let document = try history.json()
    let good = document["samples"].elements.filter { $0["quality"] == .string("ok") }
    #expect(!good.isEmpty && saved.lines.count == good.count + 1)
    #expect(saved.lines.last == document["anchor"].text)
    for (line, sample) in zip(saved.lines, good) {
      let words = line.split(separator: " ").map(String.init)
      #expect(words[0] == sample["id"].text && words[1] == "7")
      let time = try #require(sample["time"].text)
      #expect(Int(words[2]) == Int(try Date(time, strategy: .iso8601).timeIntervalSince1970))
      #expect(Double(words[3]) == sample["glucose_mg_dl"].number && words[4] == "mg/dL")
      #expect(words[5] == sample["serial"].text)
    }
  }
}
