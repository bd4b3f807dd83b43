/* SPDX-License-Identifier: Apache-2.0 */
/* summary.md of the volumetric paper: what was published and what was measured here, and what cannot be reproduced. */
#include "volumetric.h"

#include <stdlib.h>

static void put_head(FILE *to, const ReproduceArgs *args) {
    fprintf(to,
        "# Volumetric contact: published and measured\n\n"
        "Zhang, Wakisaka, Sugihara: A fast volumetric contact force computation of rigid bodies by decomposition and "
        "iteration.\n"
        "Boxes of 0.2 x 0.1 x 0.05 m and 1 g; static friction 0.5, kinetic 0.45; dt %s. The paper's text gives no "
        "numbers for\n"
        "its figures, only what they show, and neither the initial poses, the number of generators of the friction "
        "pyramids nor its\n"
        "compensation coefficient k; so statements are compared, not curves. abut %s, one thread.\n\n"
        "A *bare* case has no contact margin and no compliance, as the methods in the paper; the others use the "
        "defaults of abut.\n\n",
        args->quick ? "1e-3 s (--quick; the paper has 1e-4 s)" : "1e-4 s", abut_version());
}

static void put_pictures(FILE *to) {
    fprintf(to, "## Figures 3 and 7: the piles\n\n"
                "Seven boxes, and fifty from random heights and attitudes, at 0, 0.35, 0.7 and 2 s; arrows in the last "
                "picture are contact forces. The paper\n"
                "shows the same two experiments from other initial poses, which it does not give.\n\n"
                "![Figure 3](figure3.png)\n\n![Figure 7](figure7.png)\n\n");
}

static void put_pile_row(FILE *to, int figure, const PaperCase *how, const PaperPiles *p) {
    fprintf(to, "| %d | %s | %.3f | %.2g | %.2f %% | %.2f | %d of %d |\n", figure, how->label, p->mean, p->cv,
        100.0 * p->zero, p->peak, p->chatter, p->floor);
}

static void put_piles(FILE *to, const PaperResults *r) {
    const PaperPiles *point = r->figure_4, *vol = r->figure_5;
    fprintf(to,
        "## Figures 4 and 5: normal force on the lowest of 7 boxes\n\n"
        "![Figure 4](figure4.svg)\n![Figure 5](figure5.svg)\n\n"
        "Published: with the point contacts of Nakaoka (Fig. 4) the normal force often falls to 0 even at rest; with "
        "volumetric\n"
        "contact (Fig. 5) a nearly constant force acts all the time.\n\n"
        "Measured in the last quarter of 2 s, %d piles each (piles are chaotic, one proves nothing; the plots show the "
        "first). The lowest\n"
        "box is the one that the ground bears up most. Forces are over the weight of one box; `cv`, the spread over "
        "the mean, is the median\n"
        "of the piles; the last column counts all boxes on the floor that lose their force in some step:\n\n"
        "| Fig. | case | mean force | cv | steps without force | peak force | boxes that lose touch "
        "|\n|---|---|---|---|---|---|---|\n",
        point->seeds);
    for (int i = 0; i < FIGURE_4_CASES; ++i) put_pile_row(to, 4, &figure_4_cases[i], &point[i]);
    for (int i = 0; i < FIGURE_5_CASES; ++i) put_pile_row(to, 5, &figure_5_cases[i], &vol[i]);
    fprintf(to,
        "\nThe bare cases remove the whole overlap in each step (beta = 1). The spread with point contacts is then "
        "%.3g times that with\n"
        "volumetric contact. With the margin of abut, which keeps contacts from opening, `point` has %.2g and `vol` "
        "%.2g: much of the chatter\n"
        "comes from the way the overlap is corrected, not from points as such.\n\n",
        point[0].cv / fmax(vol[0].cv, 1e-12), point[1].cv, vol[1].cv);
}

static void put_drop_row(FILE *to, const PaperCase *how, const PaperForce *f) {
    fprintf(to, "| %s | %.4f | %.0f | %d | %.3g | %.3g | ", how->label, f->touch, f->peak, f->changes, f->rise_speed,
        f->energy);
    if (f->blew_up)
        fprintf(to, "blows up at %.4f | - |\n", f->count ? f->time[f->count - 1] : 0.0);
    else
        fprintf(to, "%.4f | %.6f |\n", f->rest_time, f->rest_mean);
}

/* Greatest difference of two force curves, over the weight of the box. */
static double difference(const PaperForce *a, const PaperForce *b) {
    double most = 0.0;
    for (int i = 0; i < a->count && i < b->count; ++i) most = fmax(most, fabs(a->force[i] - b->force[i]));
    return most / paper_weight;
}

static void put_drop(FILE *to, const PaperResults *r) {
    fprintf(to, "## Figure 6: force norm of the dropped box\n\n![Figure 6](figure6.svg)\n\n"
                "Published: with about 10 iterations the contact state changes often until the box rests; more "
                "iterations calm it, and the\n"
                "result tends to that of the direct method.\n\nMeasured, all cases bare but the last:\n\n"
                "| case | first touch, s | peak force / weight | changes of contact state | upward speed, m/s | energy "
                "/ start | at rest, s | rest force / "
                "weight |\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < FIGURE_6_CASES; ++i) put_drop_row(to, &figure_6_cases[i], &r->figure_6[i]);
    fprintf(to,
        "\nFrom 10 to 100 iterations the force of `paper` changes by %.3g times the weight at most, that of `vol` by "
        "%.3g (its sweeps visit\n"
        "the vertices of the contact polygon one after the other, so that they do count; later impacts move in "
        "time).\n\n"
        "**Not reproducible as printed.** A single box on the ground is one contact volume. In equations (12) to (14) "
        "the update of a\n"
        "contact does not depend on its own previous value, so that with one contact 1, 10 and 100 iterations of the "
        "printed algorithm\n"
        "give the same force: the dependence on iterations that Fig. 6 shows cannot follow from it, and its cause is "
        "unknown. The\n"
        "caption speaks of the norm of the impulse, the text of the norm of the force; with a fixed dt they differ by "
        "the factor dt.\n"
        "The printed projection (29), which zeroes negative components, is not a projection onto the friction cone: at "
        "a corner impact it\n"
        "adds energy without bound (rows `paper`; the row ends where the energy has grown tenfold). `paper-guarded` "
        "limits it by the\n"
        "exact minimum along its direction; `vol` solves for Coulomb friction instead.\n\n",
        difference(&r->figure_6[3], &r->figure_6[4]), difference(&r->figure_6[0], &r->figure_6[1]));
}

static void put_times(FILE *to, const PaperTimes *t) {
    fprintf(to, "## Figure 8: time per step\n\n![Figure 8](figure8.svg)\n\n"
                "Published (Intel Core i7-2720QM, 2.20 GHz; no numbers in the text): the proposed method takes about "
                "as long as point contacts\n"
                "for every n, and its advantage over the direct method, O(n^3) in the contacts, shows as n grows.\n\n"
                "Measured on this machine, mean over 20 states of a falling and settling pile, microseconds per step "
                "(of that in the solver):\n\n"
                "| n | contacts |");
    for (int c = 0; c < FIGURE_8_CASES; ++c) fprintf(to, " `%s` |", figure_8_cases[c].label);
    fprintf(to, " `direct` / `vol` |\n|---|---|---|---|---|---|\n");
    for (int k = 0; k < t->sizes; ++k) {
        fprintf(to, "| %d | %.1f |", t->n[k], t->contacts[k]);
        for (int c = 0; c < FIGURE_8_CASES; ++c) fprintf(to, " %.0f (%.0f) |", t->step[c][k], t->solve[c][k]);
        fprintf(to, " %.0f |\n", t->step[1][k] / t->step[2][k]);
    }
    fprintf(to, "\nThe time in the solver grows as n to the power %.1f (`point`), %.1f (`direct`), %.1f (`vol`).\n",
        t->growth[0], t->growth[1], t->growth[2]);
    fprintf(to, "`direct` solves all contacts of an island together, as the method of Wakisaka and Sugihara, with an "
                "active set over friction\n"
                "pyramids; it is our own reference, not their program, which has other constraints. Its time depends "
                "on the largest island more than on\n"
                "n, and so differs much from pile to pile. Exact friction instead of the printed\n"
                "projection is what `vol` measures here.\n");
}

AbutStatus paper_summary_write(const ReproduceArgs *args, const PaperResults *results, AbutError *error) {
    char *text = NULL;
    size_t count = 0;
    FILE *to = open_memstream(&text, &count);
    if (!to) return abut_fail_memory(error);
    put_head(to, args);
    put_pictures(to);
    put_piles(to, results);
    put_drop(to, results);
    put_times(to, &results->figure_8);
    int bad = ferror(to);
    bad |= fclose(to) != 0;
    AbutStatus status =
        bad ? abut_fail_memory(error) : abut_file_write(paper_path(args, "summary.md"), text, count, error);
    free(text);
    return status;
}
