/* SPDX-License-Identifier: Apache-2.0 */
/* Islands that sleep are left out of steps. Oracle: a twin that is made to look at everything in every step; poses,
 * velocities, events, contacts and reports must agree to the last bit whatever is done to the world. */
#include "dynamics/mover.h"
#include "dynamics/world_support.h"

#include <string.h>

typedef struct Pair {
    World world, twin; /* the twin looks at everything */
    AbutBodyId body[64], ball, pusher;
    int bodies;
} Pair;

static AbutPose push_back_and_forth(double time, const void *user) {
    (void)user;
    double x = time < 2.0 || time > 3.0 ? -1.0 : -1.0 + 0.75 * (time - 2.0);
    return at(x, 2.0, 0.1);
}

/* Stacks of one to three boxes, some balls, and a pusher that starts after 2 s. */
static World make(Pair *p) {
    AbutScene *scene = new_scene();
    AbutError error;
    AbutSimulationDef def = abut_simulation_default();
    AbutShapeDef box = box_def(0.1, 0.1, 0.1, 1000.0, 0.5), ball = box;
    AbutBodyDef body = abut_body_default();
    ball.form.kind = ABUT_SHAPE_SPHERE;
    ball.material.friction_rolling = 5e-3;
    add_ground(scene, abut_quat_identity(), 0.5);
    p->bodies = 0;
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k <= i % 3; ++k)
            p->body[p->bodies++] =
                throw_box(scene, at(0.5 * (i % 4), 0.5 * (i / 4), 0.1001 + 0.2001 * k), abut_zero(), abut_zero(), &box);
    p->ball = throw_box(scene, at(-3.0, 0.5, 0.1), abut_vec3(0.02, 0, 0), abut_zero(), &ball);
    body.kind = ABUT_BODY_KINEMATIC;
    body.pose = at(-1.0, 2.0, 0.1);
    body.motion = push_back_and_forth;
    good(abut_scene_add_body(scene, &body, &p->pusher, &error), &error);
    good(abut_scene_add_shape(scene, p->pusher, &box, NULL, &error), &error);
    def.sleeping = 1;
    return world_of(scene, &def);
}

static void check_same(const Pair *p, const AbutStepReport *a, const AbutStepReport *b) {
    int count[2];
    const AbutEvent *event[2] = {
        abut_simulation_events(p->world.sim, &count[0]), abut_simulation_events(p->twin.sim, &count[1])};
    assert_int_equal(count[0], count[1]);
    if (count[0]) assert_memory_equal(event[0], event[1], (size_t)count[0] * sizeof *event[0]);
    for (int i = 0; i < abut_scene_body_count(p->world.scene); ++i) {
        AbutBodyState s = body_of(&p->world, abut_scene_body_at(p->world.scene, i)),
                      t = body_of(&p->twin, abut_scene_body_at(p->twin.scene, i));
        assert_memory_equal(&s.pose, &t.pose, sizeof s.pose);
        assert_memory_equal(&s.velocity, &t.velocity, sizeof s.velocity);
        int32_t asleep[2], island[2];
        CHECK(
            abut_simulation_get_activity(p->world.sim, abut_scene_body_at(p->world.scene, i), &asleep[0], &island[0]));
        CHECK(abut_simulation_get_activity(p->twin.sim, abut_scene_body_at(p->twin.scene, i), &asleep[1], &island[1]));
        CHECK(asleep[0] == asleep[1] && (island[0] < 0) == (island[1] < 0));
    }
    CHECK(a->contacts == b->contacts && a->vertices == b->vertices && a->candidates == b->candidates);
    CHECK(a->islands == b->islands && a->bodies_awake == b->bodies_awake && a->max_depth == b->max_depth);
    CHECK(a->kinetic == b->kinetic && a->potential == b->potential);
    CHECK(abut_simulation_contact_count(p->world.sim) == abut_simulation_contact_count(p->twin.sim));
}

/* Every contact of one is in the other, whatever the order. */
static void check_contacts(const Pair *p) {
    int count = abut_simulation_contact_count(p->world.sim);
    for (int i = 0; i < count; ++i) {
        AbutContact a, b;
        int found = 0;
        CHECK(abut_simulation_get_contact(p->world.sim, i, &a));
        for (int k = 0; k < count && !found; ++k) {
            CHECK(abut_simulation_get_contact(p->twin.sim, k, &b));
            found = memcmp(&a, &b, sizeof a) == 0;
        }
        CHECK(found);
    }
}

static void step_both(Pair *p, int steps) {
    for (int i = 0; i < steps; ++i) {
        AbutStepReport a = world_step(&p->world, 2e-3);
        p->twin.sim->awake.body_count = -1; /* look at everything */
        p->twin.sim->awake.settled_bodies = 0;
        AbutStepReport b = world_step(&p->twin, 2e-3);
        check_same(p, &a, &b);
    }
    check_contacts(p);
}

static Pair begin(void) {
    Pair p;
    p.twin = make(&p);
    p.world = make(&p);
    return p;
}

static void end(Pair *p) {
    world_free(&p->world);
    world_free(&p->twin);
}

static void what_sleeps_is_left_out(void **state) {
    (void)state;
    Pair p = begin();
    step_both(&p, 700);
    CHECK(p.world.sim->awake.settled_bodies > p.bodies && p.world.sim->awake.body_count < 4);
    step_both(&p, 800); /* the pusher comes and goes */
    end(&p);
}

/* One thing after the other is done to bodies that sleep. */
static void what_is_done_to_sleepers_counts(void **state) {
    (void)state;
    Pair p = begin();
    AbutError error;
    step_both(&p, 600);
    CHECK(p.world.sim->awake.settled_bodies > 0);
    World *both[2] = {&p.world, &p.twin};
    for (int deed = 0; deed < 9; ++deed) {
        for (int w = 0; w < 2; ++w) {
            AbutScene *s = both[w]->scene;
            AbutBodyId id = p.body[3 * deed];
            AbutMaterial ice = {0.0, 0.0, 0.0, 0.0, 0.0, {0, 0, 0}};
            AbutStatus done =
                deed == 0   ? abut_scene_add_impulse(s, id, abut_vec3(3, 0, 0), body_of(both[w], id).center, &error)
                : deed == 1 ? abut_scene_set_pose(s, id, at(1.2, 1.2, 0.9), &error)
                : deed == 2 ? abut_scene_remove_body(s, id, &error)
                : deed == 3 ? abut_scene_set_material(s, abut_scene_shape_at(s, id, 0), &ice, &error)
                : deed == 4 ? abut_simulation_set_force(both[w]->sim, id, abut_vec3(0, 0, 100), abut_zero(), &error)
                : deed == 5 ? abut_scene_set_kind(s, id, ABUT_BODY_STATIC, &error)
                : deed == 6 ? abut_simulation_set_gravity(both[w]->sim, abut_vec3(1.0, 0, -9.80665), &error)
                : deed == 7 ? abut_simulation_set_gravity(both[w]->sim, abut_vec3(0, 0, -9.80665), &error)
                            : abut_scene_set_velocity(s, p.ball, abut_vec3(3.0, 0, 0), abut_zero(), &error);
            good(done, &error);
        }
        step_both(&p, 250);
    }
    end(&p);
}

static void states_are_saved_and_restored(void **state) {
    (void)state;
    Pair p = begin();
    AbutError error;
    step_both(&p, 600);
    CHECK(p.world.sim->awake.settled_bodies > 0);
    size_t bytes = abut_simulation_state_size(p.world.sim);
    void *saved = malloc(bytes);
    abut_simulation_save(p.world.sim, saved);
    uint64_t now = abut_simulation_hash(p.world.sim);
    world_run(&p.world, 2e-3, 500);
    uint64_t later = abut_simulation_hash(p.world.sim);
    good(abut_simulation_restore(p.world.sim, saved, bytes, &error), &error);
    CHECK(abut_simulation_hash(p.world.sim) == now);
    world_run(&p.world, 2e-3, 500);
    CHECK(abut_simulation_hash(p.world.sim) == later);
    good(abut_simulation_restore(p.twin.sim, saved, bytes, &error), &error); /* and in another simulation */
    world_run(&p.twin, 2e-3, 500);
    CHECK(abut_simulation_hash(p.twin.sim) == later);
    free(saved);
    end(&p);
}

/* Pushing one body in every step does not bring back the others. */
static void a_driven_body_leaves_the_others_alone(void **state) {
    (void)state;
    Pair p = begin();
    AbutError error;
    step_both(&p, 600);
    for (int i = 0; i < 100; ++i) {
        for (int w = 0; w < 2; ++w)
            good(abut_scene_add_force((w ? &p.twin : &p.world)->scene, p.ball, abut_vec3(0.1, 0, 0),
                     body_of(w ? &p.twin : &p.world, p.ball).center, &error),
                &error);
        step_both(&p, 1);
        CHECK(i < 2 || p.world.sim->awake.body_count < 4);
    }
    end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_sleeps_is_left_out),
        cmocka_unit_test(what_is_done_to_sleepers_counts),
        cmocka_unit_test(states_are_saved_and_restored),
        cmocka_unit_test(a_driven_body_leaves_the_others_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
