// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "libre", path: "../..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "CGMModel", package: "libre"), .product(name: "Libre1Core", package: "libre"),
      ])
  ]
)
