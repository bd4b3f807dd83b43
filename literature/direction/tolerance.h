/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances of the Phong distance and of the kernel direction. */
#ifndef ABUT_LITERATURE_DIRECTION_TOLERANCE_H
#define ABUT_LITERATURE_DIRECTION_TOLERANCE_H

#define ABUT_KERNEL_CELL 0.6         /* side of a cell of the kernel, of its width */
#define ABUT_KERNEL_REACH 6.0        /* facets farther than this many widths beyond the nearest have no weight */
#define ABUT_KERNEL_MOST_CELLS 400   /* along a side of a facet */
#define ABUT_PHONG_FREE 1e-5         /* a foot point is free when B, this part of the size farther, is apart from A */
#define ABUT_PHONG_RESIDUAL 1e-9     /* of a root, of the size */
#define ABUT_PHONG_EDGE 1e-7         /* barycentric coordinates may be this far below zero */
#define ABUT_PHONG_PREMISE 0.1742982 /* radians, 9.987 degrees: the premise of the thesis about corner normals */

#endif
