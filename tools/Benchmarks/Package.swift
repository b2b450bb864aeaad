// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "Benchmarks",
  // Without the trait Serve: what is tested here needs no HTTP server, which takes minutes to build.
  dependencies: [
    .package(name: "libre", path: "../..", traits: ["PCSC", "LibNFC", "CURL", "SQLite"])
  ],
  targets: [
    .target(name: "CAllocationCount"),
    .systemLibrary(name: "CRawSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocationCount", "CRawSQLite", .product(name: "CGMModel", package: "libre"),
        .product(name: "GlucoseReport", package: "libre"), .product(name: "Libre1Core", package: "libre"),
        .product(name: "LibreKit", package: "libre"), .product(name: "SampleSinks", package: "libre"),
        .product(name: "SampleStore", package: "libre"), .product(name: "SampleSync", package: "libre"),
        .product(name: "SensorCipher", package: "libre"), .product(name: "SensorSimulator", package: "libre"),
      ]),
  ]
)
