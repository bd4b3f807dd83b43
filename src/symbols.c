/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every inline function of the public headers once more, as a symbol of the library, for languages that bind symbols
 * and do not read headers. In: the headers. Out: external definitions, made by the compiler from the same text, so that
 * no list has to be kept. Programs in C and C++ have their own inline copies and never come here.
 */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* a definition in a header is its own prototype */
#endif
#define ABUT_INLINE ABUT_API

#include "abut/abut.h"
