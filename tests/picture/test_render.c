/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: where bodies appear, depth, shadows, arrows; PNG and GIF files read back; views of a logged run. */
#include "abut/picture.h"
#include "support/check.h"
#include "support/tool.h"

#include <string.h>
#include <unistd.h>

static AbutMesh box_mesh(double half) {
    AbutPolyhedron *box;
    AbutMesh mesh;
    assert_int_equal(abut_polyhedron_box(abut_vec3(half, half, half), &box, NULL), ABUT_OK);
    assert_int_equal(abut_polyhedron_to_mesh(box, &mesh, NULL), ABUT_OK);
    abut_polyhedron_free(box);
    return mesh;
}

static const uint8_t *pixel(const AbutImage *image, int x, int y) {
    return image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

/* A red box before a blue one: the nearer hides the farther, the background shows beside. */
static void nearer_bodies_hide_farther_ones(void **state) {
    (void)state;
    AbutMesh mesh = box_mesh(0.5);
    AbutRenderItem items[2] = {{&mesh, abut_pose(abut_vec3(0, 5, 0), abut_quat_identity()), 0x0000ff},
        {&mesh, abut_pose_identity(), 0xff0000}};
    AbutRenderDef def = abut_render_default();
    def.width = 200, def.height = 100;
    def.eye = abut_vec3(0, -4, 0), def.target = abut_zero();
    AbutImage image;
    assert_int_equal(abut_render(&(AbutRenderList){.items = items, .item_count = 2}, &def, &image, NULL), ABUT_OK);
    const uint8_t *middle = pixel(&image, 100, 50), *corner = pixel(&image, 3, 3);
    CHECK(middle[0] > 60 && middle[2] == 0);
    CHECK(corner[0] == 0xf2 && corner[1] == 0xf4 && corner[2] == 0xf7);
    /* the box spans 1 m at 3.5 m: its edge stands where the view angle says */
    int edge = 0;
    for (int x = 100; x < 200; ++x) edge += pixel(&image, x, 50)[2] == 0;
    CHECK_NEAR(edge, 50.0 / tan(0.3) * 0.5 / 3.5, 1.5);
    abut_image_free(&image);
    abut_mesh_free(&mesh);
}

static void ground_takes_shadows_and_arrows_show_through(void **state) {
    (void)state;
    AbutMesh mesh = box_mesh(0.1);
    AbutRenderItem items[2] = {
        {NULL, abut_pose_identity(), 0}, {&mesh, abut_pose(abut_vec3(0, 0, 0.3), abut_quat_identity()), 0x20c020}};
    AbutRenderArrow arrow = {{0, 0, 0.25}, {0, 0, 0.35}, 0xff0000};
    AbutRenderDef def = abut_render_default();
    def.width = 320, def.height = 180;
    AbutImage with, without;
    assert_int_equal(abut_render(&(AbutRenderList){items, 2, &arrow, 1}, &def, &with, NULL), ABUT_OK);
    assert_int_equal(abut_render(&(AbutRenderList){.items = items, .item_count = 2}, &def, &without, NULL), ABUT_OK);
    int dark = 0, red = 0, green = 0;
    for (int i = 0; i < 320 * 180; ++i) {
        const uint8_t *a = with.rgb + 3 * i, *b = without.rgb + 3 * i;
        dark += b[0] == b[1] && b[0] < 170; /* gray: ground in the shadow */
        red += a[0] > 2 * a[1] && a[0] > 60;
        green += b[1] > 2 * b[0];
    }
    CHECK(dark > 100);
    CHECK(red > 5);
    CHECK(green > 300);
    abut_image_free(&with);
    abut_image_free(&without);
    abut_mesh_free(&mesh);
}

static void odd_views_are_survived(void **state) {
    (void)state;
    AbutMesh mesh = box_mesh(1.0);
    AbutRenderItem item = {&mesh, abut_pose_identity(), 0x808080};
    AbutRenderDef def = abut_render_default();
    AbutImage image;
    def.width = def.height = 40;
    def.eye = abut_vec3(0.2, 0.1, 0.0),
    def.target = abut_vec3(0.2, 0.1, -1.0); /* inside, straight down: triangles cut at the eye */
    assert_int_equal(abut_render(&(AbutRenderList){.items = &item, .item_count = 1}, &def, &image, NULL), ABUT_OK);
    abut_image_free(&image);
    def.eye = def.target = abut_zero();
    assert_int_equal(abut_render(&(AbutRenderList){0}, &def, &image, NULL), ABUT_OK); /* nothing at all */
    abut_image_free(&image);
    AbutError error;
    def.width = 0;
    assert_int_equal(
        abut_render(&(AbutRenderList){.items = &item, .item_count = 1}, &def, &image, &error), ABUT_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "0 x 40") != NULL);
    abut_mesh_free(&mesh);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static AbutImage test_image(int w, int h) {
    AbutImage image;
    AbutRng rng = abut_rng(5, (uint64_t)w);
    assert_int_equal(abut_image_create(w, h, &image, NULL), ABUT_OK);
    for (int i = 0; i < 3 * w * h; ++i)
        image.rgb[i] = (uint8_t)(i / 3 % 7 == 0 ? abut_rng_below(&rng, 256) : (uint32_t)(i % 250));
    return image;
}

static void png_has_its_chunks(void **state) {
    (void)state;
    Tool tool = tool_open();
    const char *path = tool_path(&tool, "picture");
    AbutImage image = test_image(33, 17);
    assert_int_equal(abut_image_write_png(path, &image, NULL), ABUT_OK);
    size_t size;
    uint8_t *b = read_file(path, &size);
    assert_memory_equal(b, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x21\0\0\0\x11\x08\x02\0\0\0", 29);
    size_t at = 8;
    int chunks = 0;
    for (; at + 12 <= size; ++chunks)
        at += 12 + ((size_t)b[at] << 24 | (size_t)b[at + 1] << 16 | (size_t)b[at + 2] << 8 | b[at + 3]);
    assert_int_equal(chunks, 3);
    assert_int_equal(at, size);
    assert_memory_equal(b + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(b);
    tool_close(&tool);
    AbutError error;
    assert_int_equal(abut_image_write_png("/nowhere/x.png", &image, &error), ABUT_ERROR_FILE);
    abut_image_free(&image);
}

/* An LZW decoder written from the format: gives the number of pixels of the first frame and their indices. */
static int decode_gif(const uint8_t *b, size_t at, uint8_t *pixels, int room) {
    static uint8_t data[1 << 20];
    static int prefix[4097], last_byte[4097];
    int size = 0, width = 9, next = 258, previous = -1, count = 0, bit = 0;
    assert_int_equal(b[at++], 8);
    while (b[at]) {
        memcpy(data + size, b + at + 1, b[at]);
        size += b[at];
        at += (size_t)b[at] + 1;
    }
    for (;;) {
        int code = 0;
        for (int k = 0; k < width; ++k, ++bit) code |= (data[bit / 8] >> (bit % 8) & 1) << k;
        CHECK(bit <= 8 * size);
        if (code == 257) return count;
        if (code == 256) {
            width = 9, next = 258, previous = -1;
            continue;
        }
        int walk = code < next ? code : previous, length = 0, first;
        uint8_t stack[4097];
        for (; walk >= 258; walk = prefix[walk]) stack[length++] = (uint8_t)last_byte[walk];
        stack[length++] = (uint8_t)walk;
        first = walk;
        CHECK(count + length + 1 <= room);
        while (length > 0) pixels[count++] = stack[--length];
        if (code >= next) pixels[count++] = (uint8_t)first;
        if (previous >= 0 && next < 4096) {
            prefix[next] = previous;
            last_byte[next++] = first;
            if (next == 1 << width && width < 12) ++width;
        }
        previous = code;
    }
}

static void gif_reads_back(void **state) {
    (void)state;
    Tool tool = tool_open();
    const char *path = tool_path(&tool, "picture");
    AbutImage image = test_image(200, 150), other = test_image(10, 10);
    AbutGif *gif;
    AbutError error;
    assert_int_equal(abut_gif_open(path, 200, 150, 40, &gif, NULL), ABUT_OK);
    assert_int_equal(abut_gif_add(gif, &image, NULL), ABUT_OK);
    assert_int_equal(abut_gif_add(gif, &other, &error), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_gif_commit(gif, NULL), ABUT_OK);
    size_t size;
    uint8_t *b = read_file(path, &size), *pixels = malloc(200 * 150 + 4200);
    assert_memory_equal(b, "GIF89a\xc8\0\x96\0", 10);
    size_t frame = 13 + 768 + 19 + 8 + 10; /* screen, palette, loop, timing, place */
    assert_int_equal(decode_gif(b, frame, pixels, 200 * 150 + 4200), 200 * 150);
    double off = 0.0;
    for (int i = 0; i < 200 * 150; ++i)
        for (int k = 0; k < 3; ++k) off += b[13 + 3 * pixels[i] + k] - (double)image.rgb[3 * i + k];
    CHECK_NEAR(off / (200 * 150 * 3), 0.0, 3.0); /* the dither is right on average */
    assert_int_equal(b[size - 1], 0x3b);
    free(b);
    free(pixels);
    unlink(path);
    assert_int_equal(abut_gif_open(path, 10, 10, 40, &gif, NULL), ABUT_OK);
    abut_gif_cancel(gif);
    CHECK(access(path, F_OK) != 0); /* nothing is left of a canceled film */
    tool_close(&tool);
    abut_image_free(&image);
    abut_image_free(&other);
}

/* Of a second frame only what is new is written; the rest is transparent. */
static void gif_frames_hold_what_changed(void **state) {
    (void)state;
    enum { W = 200, H = 150, X = 60, Y = 40, SIDE = 9 };
    Tool tool = tool_open();
    const char *path = tool_path(&tool, "picture");
    AbutImage image = test_image(W, H);
    AbutGif *gif;
    assert_int_equal(abut_gif_open(path, W, H, 40, &gif, NULL), ABUT_OK);
    assert_int_equal(abut_gif_add(gif, &image, NULL), ABUT_OK);
    assert_int_equal(abut_gif_add(gif, &image, NULL), ABUT_OK);
    for (int i = 0; i < SIDE * SIDE; ++i)
        for (int k = 0; k < 3; ++k) {
            uint8_t *c = &image.rgb[3 * ((Y + i / SIDE) * W + X + i % SIDE) + k];
            *c = (uint8_t)(255 - *c);
        }
    assert_int_equal(abut_gif_add(gif, &image, NULL), ABUT_OK);
    assert_int_equal(abut_gif_commit(gif, NULL), ABUT_OK);
    size_t size, at = 13 + 768 + 19, place[3];
    uint8_t *b = read_file(path, &size), pixels[SIDE * SIDE + 4200];
    for (int f = 0; f < 3; ++f) {
        place[f] = at;
        for (at += 8 + 10 + 1; b[at]; at += (size_t)b[at] + 1) continue;
        ++at;
    }
    assert_int_equal(b[at], 0x3b);
    assert_memory_equal(b + place[1] + 9, "\0\0\0\0\1\0\1\0", 8); /* nothing changed: one pixel */
    assert_memory_equal(b + place[2], "\x21\xf9\x04\x05", 4);
    int x = b[place[2] + 9], y = b[place[2] + 11], w = b[place[2] + 13], h = b[place[2] + 15];
    CHECK(x >= X && y >= Y && x + w <= X + SIDE && y + h <= Y + SIDE && w * h > SIDE * SIDE / 3);
    assert_int_equal(decode_gif(b, place[2] + 18, pixels, (int)sizeof pixels), w * h);
    free(b);
    tool_close(&tool);
    abut_image_free(&image);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* A built-in scene through some steps; the body `leaves`, unless NULL, goes after the second. */
static AbutRun *record(const char *spec, int steps, double dt, const char *leaves) {
    AbutScene *scene;
    AbutSimulation *sim;
    AbutRun *run;
    AbutStepReport report;
    AbutSimulationDef def = abut_simulation_default();
    assert_int_equal(abut_scene_create(&scene, NULL), ABUT_OK);
    assert_int_equal(abut_scene_build(scene, spec, 1, NULL), ABUT_OK);
    assert_int_equal(abut_simulation_create(scene, &def, &sim, NULL), ABUT_OK);
    assert_int_equal(abut_run_create_of_scene(scene, NULL, "test", &run, NULL), ABUT_OK);
    for (int i = 0; i < steps; ++i) {
        if (i == 2 && leaves)
            assert_int_equal(abut_scene_remove_body(scene, abut_scene_find_body(scene, leaves), NULL), ABUT_OK);
        assert_int_equal(abut_simulation_step(sim, dt, &report, NULL), ABUT_OK);
        assert_int_equal(abut_run_record(run, sim, &report, NULL), ABUT_OK);
    }
    abut_simulation_free(sim);
    abut_scene_free(scene);
    return run;
}

/* Pixels of bodies in a picture of a step. */
static int colored_pixels(const AbutRunView *view, int step, const AbutRenderDef *look) {
    AbutImage image;
    int colored = 0;
    assert_int_equal(abut_run_view_draw(view, step, 1, look, &image, NULL), ABUT_OK);
    for (int i = 0; i < look->width * look->height; ++i)
        colored +=
            abs(image.rgb[3 * i] - image.rgb[3 * i + 1]) > 20 || abs(image.rgb[3 * i + 1] - image.rgb[3 * i + 2]) > 20;
    abut_image_free(&image);
    return colored;
}

static void a_run_is_drawn(void **state) {
    (void)state;
    AbutRun *run = record("stack:3", 5, 1e-3, "box2");
    AbutRunView *view;
    AbutRenderDef look = abut_render_default();
    AbutImage image;
    AbutError error;
    assert_int_equal(run->steps, 5);
    assert_int_equal(abut_run_view_create(run, &view, NULL), ABUT_OK);
    look.width = 160, look.height = 90;
    abut_run_view_aim(view, 0, &look);
    CHECK(abut_point_distance(look.eye, look.target) > 0.1);
    int whole = colored_pixels(view, 0, &look), less = colored_pixels(view, 4, &look);
    CHECK(whole > 160 * 90 / 20);
    CHECK(less > whole / 3 && less < 5 * whole / 6); /* two of three boxes are left */
    assert_int_equal(abut_run_view_draw(view, 5, 0, &look, &image, &error), ABUT_ERROR_ARGUMENT);
    abut_run_view_free(view);
    abut_run_free(run);
}

/* Both ends of a fall are in the picture that frames the run; the last step alone is seen from nearer. */
static void a_film_frames_the_whole_run(void **state) {
    (void)state;
    AbutRun *run = record("drop", 80, 5e-3, NULL);
    AbutRunView *view;
    AbutRenderDef whole = abut_render_default(), last = whole;
    assert_int_equal(abut_run_view_create(run, &view, NULL), ABUT_OK);
    whole.width = last.width = 160, whole.height = last.height = 90;
    abut_run_view_aim(view, -1, &whole);
    abut_run_view_aim(view, run->steps - 1, &last);
    CHECK(abut_point_distance(whole.eye, whole.target) > 2.0 * abut_point_distance(last.eye, last.target));
    int first_seen = colored_pixels(view, 0, &whole), last_seen = colored_pixels(view, run->steps - 1, &whole);
    CHECK(first_seen > 20 && last_seen > 20);
    CHECK(colored_pixels(view, 0, &last) == 0);
    abut_run_view_free(view);
    abut_run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_frames_the_whole_run),
        cmocka_unit_test(nearer_bodies_hide_farther_ones),
        cmocka_unit_test(ground_takes_shadows_and_arrows_show_through),
        cmocka_unit_test(odd_views_are_survived),
        cmocka_unit_test(png_has_its_chunks),
        cmocka_unit_test(gif_reads_back),
        cmocka_unit_test(gif_frames_hold_what_changed),
        cmocka_unit_test(a_run_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
