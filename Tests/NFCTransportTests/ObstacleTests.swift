// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport
import TestSupport
import Testing

@Suite("What is behind a failure on this machine")
struct ObstacleTests {
  private func obstacle(_ error: TransportError, _ facts: SystemFacts) throws -> Obstacle {
    try #require(Obstacle(behind: error, on: facts))
  }

  @Test("no reader, and an ACR1552U that the driver does not know: the driver is too old, with the line that helps")
  func oldDriver() throws {
    var facts = ReaderMachine.facts(ReaderMachine.acr1552ID)
    facts.driverIDs = [ReaderMachine.acr122ID]
    let obstacle = try obstacle(.noReader, facts)
    #expect(obstacle.code == "driver_too_old")
    #expect(obstacle.message == "the driver is too old for the ACS ACR1552U (072f:2303)")
    for part in ["libccid 1.5.3 or acsccid 1.1.10", "A newer libccid is the best solution"] {
      #expect(obstacle.advice?.contains(part) == true)
    }
    for part in ["sudo sed -i ", "<string>0x072F</string>", "<string>0x2303</string>"] {
      #expect(obstacle.remedy?.contains(part) == true)
    }
    #expect(obstacle.remedy?.hasSuffix("/etc/libccid_Info.plist && sudo systemctl restart pcscd") == true)
    // The one of two readers that needs only a driver is named.
    facts = ReaderMachine.facts(ReaderMachine.acr122ID, ReaderMachine.acr1552ID)
    facts.driverIDs = nil
    #expect(try self.obstacle(.noReader, facts).remedy == "sudo apt install libccid")
  }

  @Test("no reader, and an ACR122U on the USB: it is named with the reason; an unknown one as the kernel names it")
  func incapable() throws {
    let obstacle = try obstacle(.noReader, ReaderMachine.facts(ReaderMachine.acr122ID))
    #expect(obstacle.code == "reader_lacks_15693")
    #expect(obstacle.message.hasSuffix("(072f:2200) cannot read sensors: its PN532 chip does not support ISO 15693"))
    #expect(obstacle.advice?.contains("ACS ACR1552U") == true && obstacle.remedy == "libre readers --supported")
    #expect(try self.obstacle(.readerLacks15693(name: ReaderMachine.acr122), SystemFacts()).message.contains("PN532"))
    let unknown = try self.obstacle(.noReader, ReaderMachine.facts(.init(vendor: 0x1234, product: 0x5678)))
    #expect(unknown.message == "no PC/SC driver supports the card reader Reader (1234:5678)")
  }

  @Test("access denied: polkit and its action are named, with the command for the rule that is installed or not")
  func denied() throws {
    var facts = ReaderMachine.facts()
    facts.hasPolkitRule = true
    let installed = try obstacle(.accessDenied, facts)
    #expect(installed.message.contains("org.debian.pcsc-lite.access_pcsc"))
    #expect(installed.remedy == "sudo usermod -aG plugdev \"$USER\"")
    #expect(installed.advice?.contains("libre's rule") == true)
    facts.hasPolkitRule = false
    #expect(try obstacle(.accessDenied, facts).remedy?.contains("/etc/polkit-1/rules.d/") == true)
    // A service that is not installed, or does not run, has its own command.
    #expect(try obstacle(.noDaemon, SystemFacts()).remedy == "sudo apt install pcscd")
    #expect(try obstacle(.noDaemon, facts).remedy == "sudo systemctl enable --now pcscd.socket")
    facts.usesSystemd = false
    #expect(try obstacle(.noDaemon, facts).remedy == "sudo service pcscd start")
  }

  @Test("an empty machine, and a failure of the tag, have nothing behind them")
  func nothing() {
    for error in [TransportError.noReader, .noTag, .tagLost(block: 3), .libraryMissing("libnfc.so.6")] {
      #expect(Obstacle(behind: error, on: ReaderMachine.facts()) == nil)
    }
  }
}
