// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// `make` and CI set STRICT=1: every warning in a target of ours is an error. A user with a newer compiler is spared.
let strict = Context.environment["STRICT"] == "1"

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

// Apple's systems get the part of NFCTransport that forms requests and judges answers, without the drivers of Linux. (This
// asks for the machine that builds, which for an app is a Mac.)
#if os(Linux)
  let foldersForLinux: [String] = []
#else
  let foldersForLinux = ["Drivers", "Diagnosis"]
#endif

/// Names of our own targets, separated by spaces, as dependencies. HostSystem is for Linux only.
func targets(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map {
    $0 == "HostSystem"
      ? .target(name: "HostSystem", condition: .when(platforms: [.linux])) : .byName(name: String($0))
  }
}

/// A C library that only a build with this trait needs.
func library(_ name: String, trait: String) -> Target.Dependency {
  .target(name: name, condition: .when(traits: [trait]))
}

/// A module of the library: what it may import of ours, and from outside (tools/check-imports has the same table).
func module(
  _ name: String, _ ours: String = "", _ outside: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: targets(ours) + outside, exclude: exclude, swiftSettings: settings)
}

/// The tests of a module, which see it, CGMModel and TestSupport besides what is named.
func tests(
  _ name: String, _ others: String = "", _ outside: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  let seen = Set("CGMModel TestSupport \(name) \(others)".split(separator: " ")).sorted().joined(separator: " ")
  return .testTarget(
    name: "\(name)Tests", dependencies: targets(seen) + outside, exclude: exclude, swiftSettings: settings)
}

/// A program in Examples/. It sees only what is public, as a program outside of this package does. Its own manifest has
/// its plain name, and no two targets of a build may have one name.
func example(_ name: String, _ ours: String) -> Target {
  .executableTarget(
    name: "\(name)Example", dependencies: targets(ours), path: "Examples/\(name)/Sources/\(name)", packageAccess: false,
    swiftSettings: settings)
}

/// A program in tools/ that needs what the tests have. No product: a package of libre does not hold it.
func tool(_ path: String, _ ours: String) -> Target {
  .executableTarget(
    name: String(path.split(separator: "/").last!), dependencies: targets(ours), path: "tools/\(path)",
    swiftSettings: settings)
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
/// The server of Hummingbird without its router, and what it is made of.
let http = [
  ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
  ("NIOHTTP1", "swift-nio"), ("NIOPosix", "swift-nio"),
].map { Target.Dependency.product(name: $0, package: $1, condition: .when(traits: ["Serve"])) }
let sqlite = library("CSQLite", trait: "SQLite")

/// The products for programs outside of this package, and the modules that they then import: everything else is `package`.
let published = [
  "Libre1Core": ["Libre1Core"], "NFCTransport": ["NFCTransport"],
  "LibreKit": ["LibreKit", "SensorHistory", "SampleSync"],
]

/// Targets that are fuzzed, in the tests and by libFuzzer.
let fuzzed = """
  CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport SampleStore Meters LibreKit \
  SensorHistory SampleSync LibreDocuments GlucoseServer CommandSupport TestSupport
  """

let package = Package(
  name: "libre",
  // Libre1Core and NFCTransport are meant for Apple's systems, which have `InlineArray` and `Span` from these versions on.
  // Untested there.
  platforms: [.macOS(.v26), .iOS(.v26), .watchOS(.v26), .tvOS(.v26), .visionOS(.v26)],
  products: [.executable(name: "libre", targets: ["libre"])]
    + published.sorted { $0.key < $1.key }.map { .library(name: $0, targets: $1) },
  traits: [
    // A program that depends on libre names what it needs, and fetches no more; tools/build switches all on for the command.
    .default(enabledTraits: []),
    .trait(name: "PCSC", description: "PC/SC readers (libpcsclite, loaded when a reader is asked for)"),
    .trait(name: "LibNFC", description: "libnfc's PN532Killer (libnfc, loaded when it is asked for)"),
    .trait(name: "CURL", description: "HTTP and MQTT sinks (libcurl, loaded when it is asked for)"),
    .trait(name: "SQLite", description: "the store, and other programs' databases (libsqlite3-dev)"),
    .trait(name: "Serve", description: "libre serve (Hummingbird, SwiftNIO)"),
    .trait(name: "Bluetooth", description: "meters over Bluetooth (libsystemd, loaded when it is asked for)"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Without its traits, which bring in the whole of Foundation: 20 MB of ICU in a static binary.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    module("CGMModel"),
    module("TextFormats", "CGMModel"),
    module("HostSystem", "CGMModel TextFormats", [sqlite, "CZlib"]),
    module("Libre1Core", "CGMModel"),
    module("DumpFormats", "CGMModel HostSystem Libre1Core TextFormats"),
    module("HistoryFormats", "CGMModel HostSystem TextFormats", ["CExpat"]),
    module(
      "NFCTransport", "CGMModel HostSystem", [library("CPCSC", trait: "PCSC"), library("CNFC", trait: "LibNFC")],
      exclude: foldersForLinux),
    module("SampleStore", "CGMModel HostSystem"),
    module("GlucoseReport", "CGMModel TextFormats"),
    module("Meters", "CGMModel HostSystem NFCTransport", [library("CSystemBus", trait: "Bluetooth")]),
    module(
      "LibreKit", "CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport Meters"),
    module(
      "SensorHistory",
      """
      CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport SampleStore GlucoseReport Meters \
      LibreKit
      """),
    module(
      "SampleSync",
      """
      CGMModel TextFormats HostSystem Libre1Core HistoryFormats NFCTransport SampleStore GlucoseReport LibreKit \
      SensorHistory
      """, [library("CCurl", trait: "CURL")]),
    module(
      "LibreDocuments",
      """
      CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport SampleStore GlucoseReport Meters \
      LibreKit SensorHistory SampleSync
      """),
    module(
      "GlucoseServer",
      """
      CGMModel TextFormats HostSystem Libre1Core SampleStore GlucoseReport LibreKit SensorHistory SampleSync LibreDocuments
      """, [logging] + http),
    module(
      "CommandSupport",
      """
      CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport SampleStore GlucoseReport Meters \
      LibreKit SensorHistory SampleSync LibreDocuments
      """, [argumentParser, logging]),
    .executableTarget(
      name: "libre",
      dependencies: targets(
        """
        CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport SampleStore GlucoseReport Meters \
        LibreKit SensorHistory SampleSync LibreDocuments GlucoseServer CommandSupport
        """) + [argumentParser, logging],
      swiftSettings: settings),

    // Built and run by the tests, so that they cannot rot. Each has a manifest of its own, which shows how a package depends
    // on this.
    example("DecodeBytes", "Libre1Core"), example("FollowSensor", "LibreKit"), example("OwnReader", "LibreKit"),
    example("OwnFormats", "LibreKit SensorHistory"), example("OwnSink", "LibreKit SampleSync SensorHistory"),

    // Declarations only: the libraries are loaded at run time (NFCTransport's Decisions/0001), so nothing is linked.
    .systemLibrary(name: "CPCSC"),
    .systemLibrary(name: "CNFC"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CSystemBus"),

    // Linked in the usual way: all are part of every Linux, and `make dist` links them statically.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

    .target(
      name: "TestSupport", dependencies: targets("CGMModel HostSystem Libre1Core NFCTransport") + [sqlite],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    // Stores filled with scans, for the tests of what stands on SensorHistory.
    .target(
      name: "StoreTestSupport",
      dependencies: targets("CGMModel Libre1Core NFCTransport SampleStore LibreKit SensorHistory TestSupport"),
      path: "Tests/StoreTestSupport", swiftSettings: settings),
    // Emulated readers as USB devices of the guest of `make machine`.
    tool("machine/GuestDevices", "CGMModel Libre1Core NFCTransport TestSupport"),
    tests("CGMModel"),
    tests("TextFormats", "Libre1Core"),
    tests("HostSystem"),
    tests("Libre1Core", "NFCTransport"),
    tests("DumpFormats", "Libre1Core TextFormats", [sqlite]),
    tests("HistoryFormats", "TextFormats", exclude: ["Validators"]),
    tests("NFCTransport", "HostSystem Libre1Core LibreKit", [library("CPCSC", trait: "PCSC")]),
    tests("SampleStore", "HostSystem Libre1Core NFCTransport"),
    tests("GlucoseReport", "Libre1Core TextFormats", exclude: ["Figures", "Validators"]),
    tests("Meters", "HostSystem NFCTransport"),
    tests(
      "LibreKit",
      """
      HostSystem Libre1Core DumpFormats NFCTransport Meters SampleStore SensorHistory SampleSync \
      StoreTestSupport
      """,
      exclude: ["ExampleDumps"]),
    tests(
      "SensorHistory",
      """
      HostSystem Libre1Core DumpFormats HistoryFormats SampleStore GlucoseReport Meters LibreKit \
      StoreTestSupport
      """),
    tests(
      "SampleSync",
      """
      TextFormats HostSystem Libre1Core HistoryFormats SampleStore LibreKit SensorHistory StoreTestSupport
      """, exclude: ["Validators"]),
    tests(
      "LibreDocuments",
      """
      TextFormats HostSystem Libre1Core DumpFormats NFCTransport SampleStore GlucoseReport LibreKit \
      SensorHistory SampleSync CommandSupport StoreTestSupport
      """),
    tests(
      "GlucoseServer",
      """
      TextFormats HostSystem Libre1Core SampleStore GlucoseReport LibreKit SensorHistory \
      StoreTestSupport
      """,
      [
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Serve"])),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Serve"])), logging,
      ], exclude: ["Validators"]),
    .testTarget(
      name: "IntegrationTests",
      dependencies: targets(
        """
        CGMModel TextFormats HostSystem Libre1Core DumpFormats Meters NFCTransport LibreKit SensorHistory SampleSync \
        CommandSupport libre DecodeBytesExample FollowSensorExample OwnFormatsExample OwnReaderExample OwnSinkExample TestSupport
        """),
      exclude: [
        "Bluetooth/meter_bus.py", "Browser/decode.mjs", "Browser/decode.py", "Browser/look.py", "Browser/watch.py",
        "Desktop/notifications.py", "Validators",
      ],
      swiftSettings: settings),
    // What tools/Fuzz fuzzes for hours, for seconds.
    .testTarget(name: "FuzzTests", dependencies: targets(fuzzed), swiftSettings: settings),
    .testTarget(
      name: "LibreCommandTests",
      dependencies: targets(
        """
        libre CGMModel TextFormats HostSystem Libre1Core DumpFormats HistoryFormats NFCTransport SampleStore Meters LibreKit \
        SensorHistory SampleSync LibreDocuments GlucoseServer CommandSupport TestSupport StoreTestSupport
        """) + [argumentParser],
      exclude: ["EveryError.txt", "StandIns", "Validators"], swiftSettings: settings),
  ]
)

// What only `make fuzz` and `make bench` build, which say so by LIBRE_TOOLS: the one links with libFuzzer, the other counts
// allocations in place of malloc. What is fuzzed for hours is by links the code that FuzzTests runs for seconds, and a file
// may belong to one target only.
if Context.environment["LIBRE_TOOLS"] == "1" {
  package.targets.removeAll { $0.isTest }
  package.targets += [
    tool("Fuzz/Sources/Fuzz", fuzzed),
    tool("Benchmarks/Sources/Benchmarks", "\(fuzzed) GlucoseReport CAllocationCount CRawSQLite"),
    .target(name: "CAllocationCount", path: "tools/Benchmarks/Sources/CAllocationCount"),
    .systemLibrary(
      name: "CRawSQLite", path: "tools/Benchmarks/Sources/CRawSQLite", providers: [.apt(["libsqlite3-dev"])]),
  ]
}
