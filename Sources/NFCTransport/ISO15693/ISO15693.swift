// SPDX-License-Identifier: Apache-2.0

/// The protocol between a reader and a sensor, ISO 15693-3, as far as reading a memory needs it.
///
/// A frame here excludes its start mark and its checksum: readers add and check the CRC themselves.
public enum ISO15693 {}
