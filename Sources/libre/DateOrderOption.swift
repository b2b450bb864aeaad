// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HistoryFormats
import HostSystem
import LibreKit

/// How dates in other programs' histories are to be read.
struct DateOrderOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The order in dates such as 03/04/2024: dmy, mdy or ymd.", valueName: "order"),
    completion: .list(["dmy", "mdy", "ymd"]))
  var dateOrder: String?

  func validate() throws {
    if let dateOrder, ImportOptions.DateOrder(rawValue: dateOrder) == nil {
      throw ValidationError("--date-order \(dateOrder) is no order. Try: dmy, mdy or ymd")
    }
  }

  var importOptions: ImportOptions {
    var options = ImportOptions(moments: LocalTime.moments)
    options.dateOrder = dateOrder.flatMap(ImportOptions.DateOrder.init)
    return options
  }
}
