/* SPDX-License-Identifier: Apache-2.0 */
/* Everything abut offers. Each header below also compiles alone. */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include "abut/base.h"
#include "abut/contact.h"
#include "abut/dynamics.h"
#include "abut/math.h"
#include "abut/mode.h"
#include "abut/model.h"
#include "abut/picture.h"
#include "abut/query.h"
#include "abut/scene.h"
#include "abut/shape.h"
#include "abut/solve.h"
#include "abut/version.h"

#endif
