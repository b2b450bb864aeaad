// SPDX-License-Identifier: Apache-2.0

// A program that keeps a history names what it reads and what the store gives; the files of this module do so without
// an import of their own.
@_exported public import LibreKit
@_exported public import SampleStore
