// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let ours: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let libre: [Target.Dependency] = [
  "CGMModel", "Libre1Core", "SensorCipher", "DumpFormats", "HistoryFormats", "NFCTransport", "SensorSimulator",
  "SampleSinks", "LibreKit", "SampleSync", "LibreDocuments", "GlucoseServer", "MeterProtocols",
].map { .product(name: $0, package: "libre") }

// Only this package links with libFuzzer, and would break an ordinary build. Its code is that of Tests/FuzzTests, by
// links: what is fuzzed for hours here is what the tests run for seconds.
let package = Package(
  name: "Fuzz",
  // Without the trait Serve: what is tested here needs no HTTP server, which takes minutes to build.
  dependencies: [
    .package(name: "libre", path: "../..", traits: ["PCSC", "LibNFC", "CURL", "SQLite"])
  ],
  targets: [
    .target(name: "TestSupport", dependencies: libre, swiftSettings: ours),
    .executableTarget(name: "Fuzz", dependencies: ["TestSupport"] + libre, swiftSettings: ours),
  ]
)
