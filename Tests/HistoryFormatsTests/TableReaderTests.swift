// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import Testing

@Suite("A plain table") struct TableReaderTests {
  @Test("the columns are found by their names, after comments, with any separator", arguments: ["\t", ",", ";"])
  func separators(separator: String) throws {
    let text = """
      # made by hand, once; times are local
      # local_time|kind|mg_dL
      2024/05/02 12:15|scan|104

      2024-05-02 12:20:30||105.5
      2024-05-02 12:25|fingerstick|99

      """
    #expect(
      try TableReader().entries(text.replacing("|", with: separator)) == [
        value("table", nil, "2024-05-02T10:15:00Z", 104, ring: .trend),
        value("table", nil, "2024-05-02T10:20:30Z", 105.5),
        stick("table", "2024-05-02T10:25:00Z", 99),
      ])
  }

  @Test("the value column determines the unit, or the user has to specify it, and a time with an offset is exact")
  func units() throws {
    let text =
      "who,glucose (mmol/L),timestamp\nanna,5.8,2024-05-02T12:15:00+05:00\nanna,LO,2024-05-02T12:15:00Z\nanna,,x\n"
    #expect(
      try TableReader().entries(text) == [
        value("table", nil, "2024-05-02T07:15:00Z", 5.8 * 18.0182),
        value("table", nil, "2024-05-02T12:15:00Z", 40, bound: .low),
      ])
    #expect(throws: HistoryError.unknownUnit) { try TableReader().entries("time,glucose\n2024-05-02 12:15,104\n") }
  }

  @Test("if two columns are possible, the one that a row fills is used, and a whole number means seconds since 1970")
  func twoColumns() throws {
    let text = "time,glucose_mmol_l,glucose_mg_dl\n1714644900,5.5,\n2024-05-02T10:20:00Z,5.5,100\n"
    #expect(
      try TableReader().entries(text) == [
        value("table", nil, "2024-05-02T10:15:00Z", 5.5 * 18.0182), value("table", nil, "2024-05-02T10:20:00Z", 100),
      ])
  }

  @Test(
    "other tables and our own documents are not read as a plain table",
    arguments: [
      "time,steps\n2024-05-02 12:15,104\n", "local,mg_dL\n1,2\n", "", "time,glucose_mg_dl,raw_glucose\n",
    ])
  func others(text: String) {
    #expect(!TableReader().hasSignature(HistoryText(text)))
  }
}
