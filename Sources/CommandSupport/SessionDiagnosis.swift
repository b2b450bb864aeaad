// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreKit
package import NFCTransport

extension Session {
  /// Checks whether this machine can read a sensor, without disturbing a reader.
  package static func diagnosis() async -> Diagnosis {
    let ways = await ReaderSurvey(asking: Catalogue.standard.readerBackends).ways
    let pcsc = ways.first { $0.scheme == "pcsc" }?.result ?? .failure(.notInThisBuild(scheme: "pcsc"))
    let asked = await AskedReader.all(of: Catalogue.standard.readerBackends)
    var facts = SystemFacts(root: "/", environment: environment)
    facts.exposedConfiguration = ConfigurationFile.path(environment: environment).flatMap {
      FileSystem.isExposed($0) ? $0 : nil
    }
    return Doctor(facts: facts, pcsc: pcsc, asked: asked).diagnosis
  }
}
