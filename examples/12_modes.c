/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contact modes: a box stands on the ground and leans on a wall, with four contacts on each. All ways in which it can
 * move, how many of them keep all contacts, and which of them gravity allows at rest.
 */
#include <abut/abut.h>
#include <stdio.h>

typedef struct Listing {
    const AbutModeSystem *system;
    int count;
} Listing;

static int print_mode(AbutMode mode, void *user) {
    Listing *listing = user;
    char text[64];
    int dimension;
    if (listing->count++ < 5 && abut_mode_text(listing->system, 0, mode, text, sizeof text) < sizeof text &&
        abut_mode_dimension(listing->system, mode, &dimension, NULL) == ABUT_OK)
        printf("  %s  %d-dimensional\n", text, dimension);
    return 0;
}

int main(void) {
    AbutPointContact contacts[8] = {0};
    AbutModeBody box = {.kind = ABUT_MODE_BODY_FREE}; /* its frame is at the origin: vx, vy, vz, wx, wy, wz */
    AbutModeSystem system;
    AbutModeResult result;
    AbutError error;

    /* The unit cube around the origin: corners k = 0..3 of its lower face on the ground, of its face x = -0.5 at the
     * wall. */
    for (int k = 0; k < 4; ++k) {
        double u = k & 1 ? 0.5 : -0.5, v = k & 2 ? 0.5 : -0.5;
        contacts[k] = (AbutPointContact){.point = {u, v, -0.5}, .normal = {0, 0, 1}, .body_a = -1, .body_b = 0};
        contacts[4 + k] = (AbutPointContact){.point = {-0.5, u, v}, .normal = {1, 0, 0}, .body_a = -1, .body_b = 0};
    }
    AbutModeSystemDef def = {
        .contacts = contacts, .contact_count = 8, .bodies = &box, .body_count = 1, .dof = 6, .lines = 2};
    if (abut_mode_system_build(&def, &system, &error) != ABUT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }

    AbutModeOptions options = abut_mode_options_default();
    Listing listing = {&system, 0};
    printf(
        "the first modes: 8 contacts (0 stays, + separates), then two signs of sliding each (. where it separates)\n");
    options.visit = print_mode;
    options.user = &listing;
    if (abut_mode_enumerate(&system, &options, &result, &error) != ABUT_OK) return 1;
    printf("%llu modes in %llu patterns of separation, decided %s\n", (unsigned long long)result.modes,
        (unsigned long long)result.cs_modes, result.exact ? "exactly" : "with a tolerance");
    int ok = result.modes == 228 && result.cs_modes == 46;

    /* Those that keep all contacts: rest, and sliding along the edge of ground and wall, to both sides. */
    const int8_t all_stay[8] = {0};
    options.kind = ABUT_MODES_OF_CS;
    options.cs = all_stay;
    options.visit = NULL;
    abut_mode_enumerate(&system, &options, &result, &error);
    printf("%llu of them keep all contacts\n", (unsigned long long)result.modes);
    ok &= result.modes == 3;

    /* Which modes can contact forces hold in balance with the weight? */
    const double weight[6] = {0, 0, -10, 0, 0, 0};
    AbutModeForces forces = {.force = weight, .default_friction = 0.5};
    options = abut_mode_options_default();
    abut_mode_consistent(&system, &forces, &options, &result, &error);
    printf("under its weight, with friction 0.5: %llu possible\n", (unsigned long long)result.modes);

    abut_mode_system_free(&system);
    return ok && result.modes >= 1 ? 0 : 1;
}
