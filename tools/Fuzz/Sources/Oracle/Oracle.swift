// SPDX-License-Identifier: Apache-2.0
import CGMModel
public import Libre1Core

/// What holds for any memory that decodes. A failure is a crash, and libFuzzer keeps the input.
public func check(_ decoded: DecodedMemory) {
  for samples in [decoded.trend.samples, decoded.history.samples] {
    for sample in samples {
      precondition(
        (1...decoded.memory.ageMinutes).contains(sample.minute.value), "every minute is inside the sensor's life")
      precondition(sample.concentration?.milligramsPerDecilitre.isFinite ?? true, "no concentration is NaN or infinite")
      precondition(sample.temperatureCelsius?.isFinite ?? true, "no temperature is NaN or infinite")
      precondition(sample.concentration == nil || !sample.raw.hasError, "a flagged record has no concentration")
    }
    precondition(zip(samples, samples.dropFirst()).allSatisfy { $0.minute > $1.minute }, "the newest comes first")
  }
}
