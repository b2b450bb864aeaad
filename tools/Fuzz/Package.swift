// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let libre: [Target.Dependency] = ["CGMModel", "Libre1Core", "DumpFormats", "NFCTransport"].map {
  .product(name: $0, package: "libre")
}

// Only this package has fuzz targets: they link with libFuzzer alone, and would break an ordinary build.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "libre", path: "../..", traits: [])],
  targets: [.target(name: "Oracle", dependencies: libre)]
    + ["FuzzDecoder", "FuzzResealed", "FuzzDump", "FuzzTrace"].map {
      .executableTarget(name: $0, dependencies: ["Oracle"] + libre)
    }
)
