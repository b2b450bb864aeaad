// SPDX-License-Identifier: Apache-2.0
import Testing

/// The entry point of the tests, which SwiftPM takes instead of one that it generates.
///
/// To generate one it looks for XCTest's classes in the compiler's index, and there are none: without it no index has to be
/// written, which is a tenth of the compiler's work (LibreKit's Decisions/0012).
@main struct TestRunner {
  static func main() async {
    // `swift test` also starts this once for XCTest.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
