/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes become a run that is filled by hand: bodies that join at any step, poses and forces of any bits, contacts
 * between any numbers of bodies. What the calls accept must come back from its file the same, bit for bit. Byte 0: kind
 * of numbers, 1: steps; then, per step, what happens in it.
 */
#include "abut/file.h"
#include "fuzz.h"
#include "input.h"

#include <stdio.h>
#include <unistd.h>

enum { STEPS = 6, BODIES = 4 };

static void add_body(AbutRun *run, Input *in) {
    AbutBodyDef body = abut_body_default();
    AbutShapeDef shape = abut_shape_default();
    shape.form.kind = ABUT_SHAPE_BOX;
    shape.form.size = next_vec3(in);
    body.pose.p = next_vec3(in);
    if (run->bodies < BODIES) (void)abut_run_add_body(run, &body, &shape, next_byte(in) % 2, NULL, NULL);
}

static void add_contact(AbutRun *run, Input *in) {
    static AbutContact contact;
    memset(&contact, 0, sizeof contact);
    contact.normal = next_vec3(in);
    contact.force = next_vec3(in);
    contact.depth = next_number(in);
    contact.vertex_count = next_byte(in) % 5;
    for (int i = 0; i < contact.vertex_count; ++i) contact.vertex[i].point = next_vec3(in);
    int32_t a = next_byte(in) % (BODIES + 1) - 1, b = next_byte(in) % (BODIES + 1) - 1;
    if (a < run->bodies && b < run->bodies && run->steps > 0) (void)abut_run_add_contact(run, a, b, &contact, NULL);
}

static void add_step(AbutRun *run, Input *in) {
    AbutRunBody bodies[BODIES];
    AbutStepReport report;
    memset(&report, 0, sizeof report);
    memset(bodies, 0, sizeof bodies);
    report.time = next_number(in);
    report.kinetic = next_number(in);
    for (int i = 0; i < run->bodies; ++i) {
        bodies[i].pose = abut_pose(next_vec3(in), abut_quat_identity());
        bodies[i].island = next_byte(in) % 3 - 1;
    }
    (void)abut_run_add_step(run, &report, bodies, NULL);
}

static void check_same(const AbutRun *a, const AbutRun *b) {
    FUZZ_REQUIRE(a->steps == b->steps && a->bodies == b->bodies && a->contacts == b->contacts);
    FUZZ_REQUIRE(a->vertices == b->vertices && a->partial == b->partial);
    size_t poses = 7 * (size_t)a->steps * (size_t)a->bodies;
    FUZZ_REQUIRE(poses == 0 ||
                 memcmp(abut_run_f8(a, ABUT_RUN_POSE), abut_run_f8(b, ABUT_RUN_POSE), poses * sizeof(double)) == 0);
    size_t forces = 3 * (size_t)a->contacts;
    FUZZ_REQUIRE(forces == 0 || memcmp(abut_run_f8(a, ABUT_RUN_CONTACT_FORCE), abut_run_f8(b, ABUT_RUN_CONTACT_FORCE),
                                    forces * sizeof(double)) == 0);
}

/* Through a file and back; what cannot be written or read is refused with a word. */
static void check_file(const AbutRun *run) {
    char path[64];
    AbutRun *back;
    AbutError error = {0};
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* in memory: thousands of files */
    snprintf(path, sizeof path, "%s/fuzz_run.%ld.npz", folder, (long)getpid());
    if (abut_run_write(path, run, &error) != ABUT_OK) {
        FUZZ_REQUIRE(error.text[0]);
        return;
    }
    AbutStatus status = abut_run_read(path, NULL, 0, &back, &error);
    unlink(path);
    if (status == ABUT_OK)
        check_same(run, back);
    else
        FUZZ_REQUIRE(error.text[0] && !back);
    abut_run_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0.0};
    AbutModel *model;
    AbutRun *run = NULL;
    in.tame = next_byte(&in) % 2 ? 0.125 : 0.0;
    int steps = next_byte(&in) % STEPS;
    if (abut_model_create(&model, NULL) != ABUT_OK) return 0;
    AbutStatus status = abut_run_create(model, "fuzz", &run, NULL);
    for (int i = 0; i < steps && status == ABUT_OK; ++i) {
        int what = next_byte(&in);
        if (what & 1) add_body(run, &in);
        add_step(run, &in);
        for (int k = 0; k < (what >> 1) % 4; ++k) add_contact(run, &in);
    }
    if (status == ABUT_OK) check_file(run);
    abut_run_free(run);
    abut_model_free(model);
    return 0;
}
