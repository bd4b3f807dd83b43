/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the motions of two operands. */
#include "operands.h"

#include <math.h>
#include <string.h>

MotionOperands motion_operands_make(void)
{
    return (MotionOperands){.from = NAN, .to = NAN};
}

/* An animation also says that the meshes are moved to their centroids. */
static void read_file(Operands *operands, const char *name, AbutMotionFile **out)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    char *bytes;
    size_t size;
    cli_need(abut_file_load(name, "a motion", MOST_BYTES, &bytes, &size, &cli_why));
    AbutStatus status = abut_motion_parse(bytes, size, name, out, &cli_why);
    abut_free(bytes);
    cli_need(status);
    if ((*out)->animation)
        operands_center(operands, name);
}

/* A file and a pose would both say where the body is. */
static void check_pose(const Operand *operand, int which)
{
    AbutPose identity = abut_pose_identity();
    if (memcmp(&operand->pose, &identity, sizeof identity) == 0)
        return;
    cli_error("--pose-%c and --motion-%c both place the body; give one", 'a' + which, 'a' + which);
}

void motion_operands_read(Operands *operands, MotionOperands *m)
{
    double from = INFINITY, to = -INFINITY, first, last;
    if (!m->name[0] && !m->name[1])
        cli_error("nothing moves: --motion-a or --motion-b takes a file");
    for (int k = 0; k < 2; ++k) {
        m->motion[k] = abut_motion_static(operands->of[k].pose);
        if (!m->name[k])
            continue;
        check_pose(&operands->of[k], k);
        read_file(operands, m->name[k], &m->file[k]);
        m->motion[k] = m->file[k]->motion;
        abut_motion_span(&m->motion[k], &first, &last);
        from = fmin(from, first), to = fmax(to, last);
    }
    m->from = isnan(m->from) ? from : m->from;
    m->to = isnan(m->to) ? to : m->to;
    cli_check_range("--from", m->from, -1e60, 1e60);
    cli_check_range("--to", m->to, -1e60, 1e60);
}

void motion_operands_free(MotionOperands *motions)
{
    abut_motion_file_free(motions->file[0]);
    abut_motion_file_free(motions->file[1]);
}
