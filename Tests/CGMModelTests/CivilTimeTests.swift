// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct CivilTimeTests {
  @Test("every day of four centuries follows the day before it in the Gregorian calendar")
  func everyDay() {
    // Counted forward with the Gregorian leap rule from 1600-01-01, which is 135 140 days before 1970.
    var (year, month, day) = (1_600, 1, 1)
    var wrong = 0
    for number in -135_140..<(-135_140 + 146_097 + 366) {
      let civil = CivilTime(Instant(secondsSince1970: Int64(number) * 86_400 + 3_661))
      if (civil.year, civil.month, civil.day) != (year, month, day) { wrong += 1 }
      if (civil.hour, civil.minute, civil.second) != (1, 1, 1) { wrong += 1 }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(wrong == 0)
    #expect((year, month, day) == (2_001, 1, 1))
  }

  @Test("seconds before 1970 belong to the day before")
  func beforeTheEpoch() {
    let civil = CivilTime(Instant(secondsSince1970: -1))
    #expect((civil.year, civil.month, civil.day) == (1969, 12, 31))
    #expect((civil.hour, civil.minute, civil.second) == (23, 59, 59))
  }

  @Test("an offset shifts the local time, also across midnight")
  func offset() {
    let civil = CivilTime(Instant(secondsSince1970: 0), offsetSeconds: -60)
    #expect((civil.year, civil.month, civil.day, civil.hour, civil.minute) == (1969, 12, 31, 23, 59))
  }
}
