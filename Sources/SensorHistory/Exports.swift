// SPDX-License-Identifier: Apache-2.0

// A program that keeps a history names what it reads and what the store gives.
@_exported public import LibreKit
@_exported public import SampleStore
