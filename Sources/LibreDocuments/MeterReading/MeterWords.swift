// SPDX-License-Identifier: Apache-2.0
import Meters

extension GlucoseSampleType {
  var name: String {
    switch self {
    case .capillaryWholeBlood: "capillary_whole_blood"
    case .capillaryPlasma: "capillary_plasma"
    case .venousWholeBlood: "venous_whole_blood"
    case .venousPlasma: "venous_plasma"
    case .arterialWholeBlood: "arterial_whole_blood"
    case .arterialPlasma: "arterial_plasma"
    case .undeterminedWholeBlood: "undetermined_whole_blood"
    case .undeterminedPlasma: "undetermined_plasma"
    case .interstitialFluid: "interstitial_fluid"
    case .controlSolution: "control_solution"
    }
  }
}

extension GlucoseSampleLocation {
  var name: String {
    switch self {
    case .finger: "finger"
    case .alternateSite: "alternate_site"
    case .earlobe: "earlobe"
    case .controlSolution: "control_solution"
    case .notAvailable: "not_available"
    }
  }
}

extension GlucoseMeasurementContext.Meal {
  var name: String {
    switch self {
    case .before: "before"
    case .after: "after"
    case .fasting: "fasting"
    case .casual: "casual"
    case .bedtime: "bedtime"
    }
  }

  var words: String {
    switch self {
    case .before, .after: "\(name) a meal"
    case .fasting, .casual: name
    case .bedtime: "at bedtime"
    }
  }
}
