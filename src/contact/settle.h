/* SPDX-License-Identifier: Apache-2.0 */
/* Private: the step that closes gaps of contacts. */
#ifndef ABUT_CONTACT_SETTLE_H
#define ABUT_CONTACT_SETTLE_H

/*
 * The least step d of six numbers with rows d = -gap, in the sense of least squares: (sum r r^T + a little) d =
 * -sum r gap. 0: it is longer than `most`, or not finite.
 */
int abut_contact_closing_step(double (*rows)[6], const double *gap, int count, double most, double d[6]);

#endif
