// SPDX-License-Identifier: Apache-2.0
//
// A program names one product and sees the types of its values, wherever they are declared; the files of the product do
// so without an import of their own.
@_exported public import CGMModel
@_exported public import Libre1Core
@_exported public import NFCTransport
