// SPDX-License-Identifier: Apache-2.0
import HostSystem
import SampleStore

/// `/decode`, the page that decodes memories in the browser (GlucoseServer/LivePageAndMetrics, "Decoding a memory").
struct DecoderPageEndpoint: Endpoint {
  /// The page's file, which `make web` makes and a package installs.
  var path = Self.path(besides: FileSystem.resolved("/proc/self/exe"))

  func answer(_ request: ServerRequest, _ context: ServerContext) throws(StoreError) -> ServerAnswer? {
    guard request.path == ["decode"], request.pathExtension == nil else { return nil }
    guard let page = try? FileSystem.read(path, limit: Self.largestPage) else {
      return .problem(404, "Not Found", "this libre was installed without the page that decodes memories")
    }
    // The page names its own policy, except for what browsers take from the header alone.
    let policy = (name: "Content-Security-Policy", value: "frame-ancestors 'none'")
    return ServerAnswer(
      contentType: "text/html; charset=utf-8", headers: [policy, LivePageEndpoint.referrer], body: page
    ).revalidated(for: request)
  }

  private static let largestPage = 1 << 20

  /// `/usr/share/libre/decode.html` for the command `/usr/bin/libre`.
  static func path(besides command: String) -> String {
    let directories = command.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return (directories + ["share", "libre", "decode.html"]).joined(separator: "/")
  }
}
