// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "FollowSensor",
  dependencies: [
    // In a program of your own: .package(url: "https://…/libre", from: "0.1.0", traits: […]).
    .package(name: "libre", path: "../..", traits: ["PCSC", "LibNFC", "SQLite"])
  ],
  targets: [
    .executableTarget(name: "FollowSensor", dependencies: [.product(name: "LibreKit", package: "libre")])
  ]
)
