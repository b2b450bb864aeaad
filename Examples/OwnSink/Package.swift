// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "OwnSink",
  dependencies: [
    // In a program of your own: .package(url: "https://…/libre", from: "0.1.0").
    .package(name: "libre", path: "../..", traits: ["SQLite"])
  ],
  targets: [
    .executableTarget(name: "OwnSink", dependencies: [.product(name: "LibreKit", package: "libre")])
  ]
)
