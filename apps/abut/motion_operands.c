/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the motions of two operands. */
#include "motion_operands.h"

#include <math.h>
#include <string.h>

MotionOperands motion_operands_make(void)
{
    return (MotionOperands){.from = NAN, .to = NAN};
}

CliOption motion_operands_file(MotionOperands *motions, int which)
{
    static const char *const names[2] = {"--motion-a", "--motion-b"};
    static const char *const help[2] = {
        "motion of A: CSV t,x,y,z,qw,qx,qy,qz, JSON with joints (docs/motions.md), or an animation (.ani)",
        "motion of B"};
    return (CliOption){names[which], NULL, CLI_TEXT, &motions->name[which], "FILE", help[which]};
}

CliOption motion_operands_from(MotionOperands *motions)
{
    return (CliOption){
        "--from", NULL, CLI_REAL, &motions->from, "T", "start of the interval (default: the first time of the files)"};
}

CliOption motion_operands_to(MotionOperands *motions)
{
    return (CliOption){"--to", NULL, CLI_REAL, &motions->to, "T", "its end (default: the last time of the files)"};
}

/* An animation also says that the meshes are moved to their centroids. */
static int read_file(const CliCommand *command, Operands *operands, const char *name, AbutMotionFile **out)
{
    static const size_t MOST_BYTES = (size_t)1 << 30;
    AbutError error;
    char *bytes;
    size_t size;
    if (abut_file_load(name, "a motion", MOST_BYTES, &bytes, &size, &error) != ABUT_OK)
        return cli_error(command, "%s", error.text);
    AbutStatus status = abut_motion_parse(bytes, size, name, out, &error);
    abut_free(bytes);
    if (status != ABUT_OK)
        return cli_error(command, "%s", error.text);
    if ((*out)->animation)
        operands_center(command, operands, name);
    return CLI_GO;
}

/* A file and a pose would both say where the body is. */
static int check_pose(const CliCommand *command, const Operand *operand, int which)
{
    AbutPose identity = abut_pose_identity();
    if (memcmp(&operand->pose, &identity, sizeof identity) == 0)
        return CLI_GO;
    return cli_error(command, "--pose-%c and --motion-%c both place the body; give one", 'a' + which, 'a' + which);
}

int motion_operands_read(const CliCommand *command, Operands *operands, MotionOperands *m)
{
    double from = INFINITY, to = -INFINITY, first, last;
    if (!m->name[0] && !m->name[1])
        return cli_error(command, "nothing moves: --motion-a or --motion-b takes a file");
    for (int k = 0; k < 2; ++k) {
        m->motion[k] = abut_motion_static(operands->of[k].pose);
        if (!m->name[k])
            continue;
        if (check_pose(command, &operands->of[k], k) != CLI_GO ||
            read_file(command, operands, m->name[k], &m->file[k]) != CLI_GO)
            return CLI_BAD;
        m->motion[k] = m->file[k]->motion;
        abut_motion_span(&m->motion[k], &first, &last);
        from = fmin(from, first), to = fmax(to, last);
    }
    m->from = isnan(m->from) ? from : m->from;
    m->to = isnan(m->to) ? to : m->to;
    if (cli_check_range(command, "--from", m->from, -1e60, 1e60) != CLI_GO ||
        cli_check_range(command, "--to", m->to, -1e60, 1e60) != CLI_GO)
        return CLI_BAD;
    return CLI_GO;
}

void motion_operands_free(MotionOperands *motions)
{
    abut_motion_file_free(motions->file[0]);
    abut_motion_file_free(motions->file[1]);
}
