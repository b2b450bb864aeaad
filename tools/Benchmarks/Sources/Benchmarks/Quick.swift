import CGMModel
import Libre1Core
import Foundation
@main struct B {
  static func main() {
    let dir = "/work/shared/dumps/"
    var mems: [[UInt8]] = []
    for f in try! FileManager.default.contentsOfDirectory(atPath: dir).sorted() where f.hasSuffix(".bin") {
      let b = [UInt8](FileManager.default.contents(atPath: dir + f)!)
      if b.count >= 344, (try? Libre1Decoder.decode(b.span)) != nil { mems.append(Array(b.prefix(344))) }
    }
    print(mems.count)
    let pub = PublishedDecoder(sensitivity: (0..<1023).map { _ in (1.75, 0.099) })
    func time(_ n: Int, _ f: () -> Void) -> Double {
      var best: [Double] = []
      for _ in 0..<9 { let s = DispatchTime.now().uptimeNanoseconds; for _ in 0..<n { f() }; best.append(Double(DispatchTime.now().uptimeNanoseconds - s) / Double(n)) }
      return best.sorted()[4]
    }
    var sink = 0.0
    let fast = time(300) { for m in mems { let d = try! Libre1Decoder.decode(m.span); sink += Double(d.trend.count) + (d.history[0]?.concentration?.milligramsPerDecilitre ?? 0) } } / Double(mems.count)
    let fastAll = time(300) { for m in mems { let d = try! Libre1Decoder.decode(m.span); for i in 0..<16 { sink += d.trend[i]?.concentration?.milligramsPerDecilitre ?? 0 }; for i in 0..<32 { sink += d.history[i]?.concentration?.milligramsPerDecilitre ?? 0 } } } / Double(mems.count)
    let crc = time(300) { for m in mems { let f = try! FRAM(m.span); sink += f.integrity.body == .ok ? 1 : 0 } } / Double(mems.count)
    let val = time(300) { for m in mems { let f = try! FRAM(m.span).validated(); sink += Double(f.ageMinutes) } } / Double(mems.count)
    let slow = time(10) { for m in mems { let d = pub.decode(m); sink += Double(d?.trend.count ?? 0) } } / Double(mems.count)
    print("fast", fast, "all", fastAll, "crc", crc, "validated", val, "slow", slow, "ratio", slow / fastAll, sink)
  }
}
