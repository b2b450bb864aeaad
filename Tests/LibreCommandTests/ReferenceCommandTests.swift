// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command on every real memory, against what an independent decoder found in them. The values of all samples are
/// compared in Libre1CoreTests.
@Suite(.enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
struct ReferenceCommandTests {
  private let sandbox: Sandbox
  private let entries = ReferenceDumps.vectors

  init() throws { sandbox = try Sandbox() }

  private func path(_ entry: ReferenceVector) -> String {
    ReferenceDumps.folder.appendingPathComponent(entry.file).path
  }

  @Test("decode gives for each memory a reading of its sensor, or the error of its body")
  func all() throws {
    #expect(entries.count >= 118)
    let outcome = try sandbox.run(["decode", "--ndjson"] + entries.map(path))
    let documents = try outcome.ndjson()
    #expect(outcome.status == 65)
    try #require(documents.count == entries.count)
    for (entry, document) in zip(entries, documents) {
      #expect(document["source"]["path"] == .string(path(entry)))
      let sensor = document["sensor"]
      if entry.isReadable {
        let decoded = try #require(entry.decoded)
        #expect(
          sensor["age_minutes"].number.map { Int($0) } == decoded.age.map { $0 - (entry.hasTornBody ? 1 : 0) },
          "\(entry.file)")
        for (ring, rows) in [("trend", decoded.trend), ("history", decoded.history)] {
          let minutes = document[ring].elements.compactMap { $0["minute"].number.map { Int($0) } }
          #expect(minutes == rows?.map(\.minute), "\(entry.file), \(ring)")
        }
      } else if entry.isEncrypted {
        #expect(document["recovered_uid"].text == entry.uid, "\(entry.file)")
        #expect(sensor["uid"] == .null && document["history"].elements.count > 8, "\(entry.file)")
      } else if entry.isPro {
        #expect(sensor["family"] == .string("libre_pro"), "\(entry.file)")
        #expect(document["trend"].elements.allSatisfy { $0["glucose_mg_dl"] == .null }, "\(entry.file)")
      } else {
        #expect(document["code"] == .string("crc_mismatch"), "\(entry.file)")
        #expect(document["message"].text?.contains("body") == true, "\(entry.file)")
      }
    }
  }

  @Test("an encrypted memory with UID and patch info decodes and converts to its decrypted copy")
  func encrypted() throws {
    let encrypted = entries.filter(\.isEncrypted)
    #expect(encrypted.count >= 4)
    for entry in encrypted {
      let (uid, info) = (try #require(entry.uid), try #require(entry.patchInfo))
      let twin = try #require(entries.first { $0.file == entry.encrypted?.decryptsTo })
      let key = ["--uid", uid, "--patch-info", info]
      let both = try sandbox.run(["decode", "--ndjson", path(entry), path(twin)] + key).ndjson()
      try #require(both.count == 2)
      for member in ["id", "sensor", "trend", "history", "current", "memory"] {
        #expect(both[0][member] == both[1][member], "\(entry.file): \(member)")
      }
      let family = entry.kind.hasPrefix("libre2") ? "libre2" : "libre_us14day"
      #expect(both[0]["sensor"]["family"] == .string(family), "\(entry.file)")
      let converted = try sandbox.run(["convert", "--decrypt", "--to", "raw", path(entry)] + key)
      #expect(converted.output == (try ReferenceDumps.bytes(of: twin.file)), "\(entry.file)")
      let wrong = ["--uid", String(uid.dropLast()) + (uid.hasSuffix("0") ? "1" : "0"), "--patch-info", info]
      let refused = try sandbox.run(["decode", "--json", "--salvage", path(entry)] + wrong).json()
      #expect(refused["code"] == .string("cannot_decrypt"), "\(entry.file)")
    }
  }
}
