// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import NFCTransport

/// Tests the lines that can be typed into a Flipper's shell.
struct FlipperShellCommandTests {
  @Test(
    "each request is one line that includes the sensor's response time",
    arguments: [
      (ISO15693.Request.inventory, "raw -p 15 -kc -t 300000 -d 260100"),
      (.systemInformation, "raw -p 15 -kc -t 300000 -d 022b"),
      (.readBlock(42), "raw -p 15 -kc -t 300000 -d 02202a"),
      (.readBlocks(ISO15693.BlockRun(first: 0, count: 3)!), "raw -p 15 -kc -t 300000 -d 02230002"),
      (.patchInfo(.texasInstruments), "raw -p 15 -kc -t 300000 -d 02a107"),
      (.readWideBlock(244, .texasInstruments), "raw -p 15 -kc -t 300000 -d 02b007f400"),
      (
        .readWideBlocks(ISO15693.WideBlockRun(first: 244, count: 3)!, .abbott),
        "raw -p 15 -kc -t 300000 -d 02b37af40002"
      ),
    ])
  func requests(request: ISO15693.Request, line: String) {
    #expect(FlipperShellCommand.send(request, selecting: false, waiting: true).line == line)
    #expect(
      FlipperShellCommand.send(request, selecting: true, waiting: true).line == line.replacing("-kc", with: "-skc"))
    #expect(
      FlipperShellCommand.send(request, selecting: false, waiting: false).line == line.replacing(" -t 300000", with: "")
    )
  }

  @Test("a name is relative to the directory of saved tags, and a path is used unchanged")
  func paths() throws {
    #expect(FlipperPath("my tag.nfc")?.description == "/ext/nfc/my tag.nfc")
    #expect(FlipperPath("/ext/nfc/old/x.nfc")?.description == "/ext/nfc/old/x.nfc")
    let path = try #require(FlipperPath("my tag.nfc"))
    #expect(FlipperShellCommand.read(path).line == "storage read \"/ext/nfc/my tag.nfc\"")
    #expect(FlipperShellCommand.list(.saved).line == "storage list \"/ext/nfc\"")
    #expect(FlipperShellCommand.timestamp(path).line == "storage timestamp \"/ext/nfc/my tag.nfc\"")
  }

  @Test(
    "a name that could start another command is refused",
    arguments: ["", "x\rstorage remove /ext", "x\n", "x\" y", "\u{3}", "ä.nfc", "x\u{7F}", "\u{1B}[A"])
  func hostile(name: String) { #expect(FlipperPath(name) == nil) }

  @Test(
    "a line of a listing is a file, a directory or neither",
    arguments: [
      ("\t[F] libre.nfc 1919b", FlipperFile(name: "libre.nfc", byteCount: 1919)),
      ("\t[F] my tag.nfc 0b", FlipperFile(name: "my tag.nfc", byteCount: 0)),
      ("\t[D] assets", FlipperFile(name: "assets", byteCount: nil)), ("\tEmpty", nil), ("", nil),
      ("\t[F] x.nfc", nil), ("\t[F] x.nfc -4b", nil), ("[F] 12b", nil),
    ])
  func files(line: String, file: FlipperFile?) { #expect(FlipperFile(line: line[...]) == file) }
}
