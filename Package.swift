// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// `make` and CI set STRICT=1: every warning in a target of ours is an error. A user with a newer compiler is spared.
let strict = Context.environment["STRICT"] == "1"

let ours: [SwiftSetting] =
  [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
  name: "libre",
  products: [
    .executable(name: "libre", targets: ["libre"]),
    .library(name: "CGMModel", targets: ["CGMModel"]),
    .library(name: "Libre1Core", targets: ["Libre1Core"]),
    .library(name: "SensorCipher", targets: ["SensorCipher"]),
    .library(name: "DumpFormats", targets: ["DumpFormats"]),
    .library(name: "HistoryFormats", targets: ["HistoryFormats"]),
    .library(name: "NFCTransport", targets: ["NFCTransport"]),
    .library(name: "SampleStore", targets: ["SampleStore"]),
    .library(name: "SampleSinks", targets: ["SampleSinks"]),
    .library(name: "GlucoseReport", targets: ["GlucoseReport"]),
    .library(name: "SensorSimulator", targets: ["SensorSimulator"]),
    .library(name: "LibreKit", targets: ["LibreKit"]),
  ],
  traits: [
    .default(enabledTraits: ["PCSC", "LibNFC", "CURL", "MQTT", "SQLite"]),
    .trait(name: "PCSC", description: "PC/SC readers (libpcsclite, loaded when a reader is asked for)"),
    .trait(name: "LibNFC", description: "libnfc's PN532Killer (libnfc, loaded when it is asked for)"),
    .trait(name: "CURL", description: "HTTP sinks (libcurl, loaded when it is asked for)"),
    .trait(name: "MQTT", description: "MQTT sink (libmosquitto, loaded when it is asked for)"),
    .trait(name: "SQLite", description: "the store, and xDrip databases (libsqlite3-dev)"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    .target(name: "CGMModel", swiftSettings: ours),
    .target(name: "Libre1Core", dependencies: ["CGMModel"], swiftSettings: ours),
    .target(name: "SensorCipher", dependencies: ["CGMModel"], swiftSettings: ours),
    .target(name: "TextFormats", dependencies: ["CGMModel"], swiftSettings: ours),
    .target(
      name: "SQLiteAccess", dependencies: [.target(name: "CSQLite", condition: .when(traits: ["SQLite"]))],
      swiftSettings: ours),
    .target(
      name: "DumpFormats", dependencies: ["CGMModel", "Libre1Core", "TextFormats", "SQLiteAccess", "CZlib"],
      swiftSettings: ours),
    .target(
      name: "HistoryFormats", dependencies: ["CGMModel", "TextFormats", "SQLiteAccess", "CExpat"], swiftSettings: ours),
    .target(name: "SampleStore", dependencies: ["CGMModel", "SQLiteAccess"], swiftSettings: ours),
    .target(name: "GlucoseReport", dependencies: ["CGMModel", "TextFormats"], swiftSettings: ours),
    .target(
      name: "SampleSinks",
      dependencies: [
        "CGMModel", "TextFormats", "HistoryFormats", "GlucoseReport", .product(name: "Crypto", package: "swift-crypto"),
        .target(name: "CCurl", condition: .when(traits: ["CURL"])),
        .target(name: "CMosquitto", condition: .when(traits: ["MQTT"])),
      ], swiftSettings: ours),
    .target(
      name: "NFCTransport",
      dependencies: [
        "CGMModel", .target(name: "CPCSC", condition: .when(traits: ["PCSC"])),
        .target(name: "CNFC", condition: .when(traits: ["LibNFC"])),
      ], swiftSettings: ours),
    .target(
      name: "SensorSimulator", dependencies: ["CGMModel", "Libre1Core", "SensorCipher", "NFCTransport"],
      swiftSettings: ours),
    .target(
      name: "LibreKit",
      dependencies: [
        "CGMModel", "Libre1Core", "SensorCipher", "TextFormats", "DumpFormats", "NFCTransport", "SensorSimulator",
        "HistoryFormats", "SampleStore", "SampleSinks", "GlucoseReport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ], swiftSettings: ours),
    .executableTarget(
      name: "libre",
      dependencies: [
        "CGMModel", "Libre1Core", "TextFormats", "DumpFormats", "NFCTransport", "SensorSimulator", "HistoryFormats",
        "SampleStore", "SampleSinks", "GlucoseReport", "LibreKit", .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: ours),

    // Declarations only: the libraries are loaded at run time (NFCTransport's Decisions/0001), so nothing is linked.
    .systemLibrary(name: "CPCSC"),
    .systemLibrary(name: "CNFC"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CMosquitto"),

    // Linked in the usual way: all are part of every Linux, and `make dist` links them statically.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

    // What several test targets share.
    .target(
      name: "TestSupport",
      dependencies: ["CGMModel", "SensorSimulator", .target(name: "CSQLite", condition: .when(traits: ["SQLite"]))],
      path: "Tests/TestSupport", swiftSettings: ours),
    .testTarget(name: "CGMModelTests", dependencies: ["CGMModel"], swiftSettings: ours),
    .testTarget(
      name: "Libre1CoreTests", dependencies: ["CGMModel", "Libre1Core", "SensorSimulator", "TestSupport"],
      swiftSettings: ours),
    .testTarget(
      name: "SensorCipherTests", dependencies: ["CGMModel", "SensorCipher", "SensorSimulator", "TestSupport"],
      swiftSettings: ours),
    .testTarget(
      name: "DumpFormatsTests",
      dependencies: [
        "CGMModel", "TextFormats", "DumpFormats", "SensorSimulator", "TestSupport",
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
      ],
      swiftSettings: ours),
    .testTarget(
      name: "TextFormatsTests", dependencies: ["CGMModel", "TextFormats", "SensorSimulator", "TestSupport"],
      swiftSettings: ours),
    .testTarget(
      name: "HistoryFormatsTests", dependencies: ["CGMModel", "TextFormats", "HistoryFormats", "TestSupport"],
      exclude: ["Validators"], swiftSettings: ours),
    .testTarget(
      name: "SampleStoreTests",
      dependencies: ["CGMModel", "SQLiteAccess", "SensorSimulator", "SampleStore", "TestSupport"],
      swiftSettings: ours),
    .testTarget(
      name: "SampleSinksTests",
      dependencies: ["CGMModel", "TextFormats", "HistoryFormats", "SampleSinks", "TestSupport"],
      exclude: ["Validators"], swiftSettings: ours),
    .testTarget(
      name: "GlucoseReportTests",
      dependencies: ["CGMModel", "Libre1Core", "TextFormats", "SensorSimulator", "GlucoseReport", "TestSupport"],
      exclude: ["Figures", "Validators"], swiftSettings: ours),
    .testTarget(
      name: "NFCTransportTests",
      dependencies: [
        "CGMModel", "NFCTransport", "SensorSimulator", "TestSupport",
        .target(name: "CPCSC", condition: .when(traits: ["PCSC"])),
      ], swiftSettings: ours),
    .testTarget(
      name: "SensorSimulatorTests",
      dependencies: ["CGMModel", "Libre1Core", "SensorCipher", "NFCTransport", "SensorSimulator", "TestSupport"],
      swiftSettings: ours),
    .testTarget(
      name: "LibreKitTests",
      dependencies: [
        "CGMModel", "Libre1Core", "SensorCipher", "TextFormats", "DumpFormats", "NFCTransport", "SensorSimulator",
        "HistoryFormats", "SampleStore", "SampleSinks", "GlucoseReport", "LibreKit", "TestSupport",
      ],
      swiftSettings: ours),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "CGMModel", "NFCTransport", "SensorSimulator", "SampleSinks", "LibreKit", "libre", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      exclude: ["Browser/look.py"], swiftSettings: ours),
    // What tools/Fuzz fuzzes for hours, for seconds.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "CGMModel", "Libre1Core", "SensorCipher", "TextFormats", "SQLiteAccess", "DumpFormats", "NFCTransport",
        "SensorSimulator", "HistoryFormats", "SampleStore", "SampleSinks", "LibreKit", "TestSupport",
      ],
      swiftSettings: ours),
    .testTarget(
      name: "LibreCommandTests",
      dependencies: [
        "libre", "CGMModel", "SensorSimulator", "TestSupport",
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
      ],
      exclude: ["StandIns", "Validators"],
      swiftSettings: ours),
  ]
)
