// SPDX-License-Identifier: Apache-2.0
public import CGMModel

extension MeterError {
  public var explanation: ErrorExplanation { ErrorExplanation("meter", "\(self)", "") }
  public var exitStatus: Int32 { 69 }
}
