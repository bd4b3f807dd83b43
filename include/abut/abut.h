/* SPDX-License-Identifier: Apache-2.0 */
/* Everything abut offers, in the order of the rooms. Each header below also compiles alone. */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include "abut/version.h"

#include "abut/base.h"
#include "abut/math.h"
#include "abut/json.h"
#include "abut/field.h"
#include "abut/shape.h"
#include "abut/query.h"
#include "abut/mesh.h"
#include "abut/motion.h"
#include "abut/solid.h"
#include "abut/direction.h"
#include "abut/clearance.h"
#include "abut/contact.h"
#include "abut/mode.h"
#include "abut/model.h"
#include "abut/robot.h"
#include "abut/scene.h"
#include "abut/grasp.h"
#include "abut/dynamics.h"
#include "abut/batch.h"
#include "abut/derivative.h"
#include "abut/manipulation.h"
#include "abut/plan.h"
#include "abut/proof.h"
#include "abut/file.h"
#include "abut/import.h"
#include "abut/picture.h"

#endif
