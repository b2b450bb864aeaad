// SPDX-License-Identifier: Apache-2.0
//
// Expat, which reads XML of any size in pieces and resolves no external entity unless it is told how.

#ifndef LIBRE_CEXPAT_H
#define LIBRE_CEXPAT_H

#include <expat.h>

#endif
