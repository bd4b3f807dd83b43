/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Save and restore: a pile falls for half a second, its state is saved, and the rest is simulated twice from there.
 * Both continuations agree to the last bit.
 */
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static int run(AbutSimulation *simulation, int steps, uint64_t *hash) {
    AbutError error;
    for (int i = 0; i < steps; ++i)
        if (abut_simulation_step(simulation, 1e-3, NULL, &error)) return fprintf(stderr, "%s\n", error.text), 0;
    *hash = abut_simulation_hash(simulation);
    printf("t = %.3f s, state %016llx\n", abut_simulation_time(simulation), (unsigned long long)*hash);
    return 1;
}

int main(void) {
    AbutScene *scene;
    AbutSimulation *simulation;
    AbutSimulationDef def = abut_simulation_default();
    AbutError error;
    uint64_t saved, first, second;
    if (abut_scene_create(&scene, &error) || abut_scene_build(scene, "boxes:10", 1, &error) ||
        abut_simulation_create(scene, &def, &simulation, &error))
        return fprintf(stderr, "%s\n", error.text), 1;

    if (!run(simulation, 500, &saved)) return 1;
    size_t bytes = abut_simulation_state_size(simulation);
    void *state = malloc(bytes);
    if (!state) return 1;
    abut_simulation_save(simulation, state);
    printf("saved %zu bytes\n", bytes);

    if (!run(simulation, 300, &first)) return 1;
    if (abut_simulation_restore(simulation, state, bytes, &error)) return fprintf(stderr, "%s\n", error.text), 1;
    if (!run(simulation, 300, &second)) return 1;
    printf(first == second ? "the same\n" : "not the same\n");

    free(state);
    abut_simulation_free(simulation);
    abut_scene_free(scene);
    return first == second ? 0 : 1;
}
