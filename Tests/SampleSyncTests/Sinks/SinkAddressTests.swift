// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SampleSync

struct SinkAddressTests {
  private func address(_ text: String, allowsHTTP: Bool = false, schemes: Set<SinkAddress.Scheme> = [.http, .https])
    throws -> SinkAddress
  {
    try SinkAddress(
      SinkOptions(name: "n", values: ["url": text], secret: nil, allowsHTTP: allowsHTTP), schemes: schemes)
  }

  @Test("an address is parsed and written in one normal form")
  func parts() throws {
    let whole = try address("HTTPS://Site.Example:8443/a/b_c%20d//")
    #expect(whole.scheme == .https && whole.host == "site.example" && whole.port == 8_443 && whole.path == "/a/b_c%20d")
    #expect(whole.text == "https://site.example:8443/a/b_c%20d")
    #expect(try address("https://site.example:443/").text == "https://site.example")
    let six = try address("https://[2001:DB8::1]:444/x")
    #expect(six.host == "2001:db8::1" && six.text == "https://[2001:db8::1]:444/x")
    #expect(try address("mqtts://b", schemes: [.mqtt, .mqtts]).port == 8_883)
  }

  @Test(
    "plain HTTP is accepted for this machine, and to another one it needs permission in the settings",
    arguments: [
      "http://site.example", "http://192.168.1.2", "http://localhost.example", "http://127.0.0.1.example",
      "http://127.1", "http://127.0.0.256", "http://127.0.0.1.", "http://[::2]", "http://[::ffff:127.0.0.1]",
      "http://0.0.0.0", "http://0127.0.0.1",
    ])
  func plain(_ text: String) throws {
    for here in ["localhost", "LOCALHOST:1", "127.0.0.1/x", "127.255.0.9", "[::1]:8086"] {
      #expect(try address("http://\(here)").scheme == .http)
    }
    #expect(throws: SinkOptionError.plainHTTP(url: text)) { try address(text) }
    #expect(try address(text, allowsHTTP: true).text == text)
  }

  @Test(
    "an invalid base address is refused",
    arguments: [
      "site.example", "ftp://site.example", "https:/site.example", "https://", "https:///x", "https://:443",
      "https://site.example:", "https://site.example:0", "https://site.example:65536",
      "https://site.example:99999999999",
      "https://site.example:4a", "https://site.example?x=1", "https://site.example/#x", "https://site example",
      "https://site.example/a b", "https://site.example/a\r\nb", "https://sïte.example", "https://[::1", "https://[]",
      "https://[::1]x", "https://[::g]", "https://[v1.x]", "https://.example", "https://site.example/../x",
      "https://site.example/a//b", "https://site.example/\\x", "https://site.example/{x}", "javascript:alert(1)", "://",
      "https://a:b:c",
    ])
  func bad(_ text: String) throws {
    let error = #expect(throws: SinkOptionError.self) { try address(text) }
    guard case .bad("url", let shown, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    // A part that may contain a secret is not shown.
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"@?#\\{}".utf8.contains($0) }
    #expect((shown == text) == isPlain)
    #expect(throws: SinkOptionError.self) { try address("https://" + String(repeating: "a", count: 3_000)) }
  }

  @Test("a password in an address is neither accepted nor shown")
  func password() throws {
    for text in ["https://me:hunter2@site.example", "https://hunter2@site.example", "https://site.example/@hunter2"] {
      let error = #expect(throws: SinkOptionError.self) { try address(text) }
      #expect(!String(describing: error).contains("hunter2"))
    }
    #expect(throws: SinkOptionError.missing(key: "url")) { try address("") }
  }
}
