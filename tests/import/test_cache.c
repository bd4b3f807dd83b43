/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cached hulls and convex pieces: the same bits as without a cache, whatever lies in its folder, and nothing anywhere
 * else; the oldest files go when there are too many.
 */
#define _XOPEN_SOURCE 700 /* setenv, mkfifo, utimensat */
#include "support/check.h"
#include "support/tool.h"
#include "import/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abut/import.h"

static Tool tool;

static int open_folder(void **state) {
    (void)state;
    tool = tool_open();
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    tool_close(&tool);
    return 0;
}

static const AbutDecomposeDef rough = {.excess = 0.1, .max_pieces = 6};

/* Hull and pieces of a mesh by name. */
static AbutCached made_of(const char *shape, int triangles, AbutMesh *mesh) {
    AbutCached made = {0};
    AbutError error = {0};
    good(abut_mesh_make(shape, triangles, NULL, mesh, &error), &error);
    good(abut_polyhedron_from_points(mesh->vertices, mesh->vertex_count, NULL, &made.hull, &error), &error);
    good(abut_mesh_decompose(mesh, &rough, &made.pieces, &error), &error);
    return made;
}

static void check_same(const AbutCached *a, const AbutCached *b) {
    assert_int_equal(a->hull->bytes, b->hull->bytes);
    assert_memory_equal(a->hull, b->hull, (size_t)a->hull->bytes);
    assert_int_equal(a->pieces.count, b->pieces.count);
    assert_int_equal(a->pieces.closed, b->pieces.closed);
    assert_int_equal(a->pieces.target_met, b->pieces.target_met);
    assert_memory_equal(&a->pieces.excess, &b->pieces.excess, sizeof(double));
    for (int32_t i = 0; i < a->pieces.count; ++i) {
        assert_int_equal(a->pieces.piece[i]->bytes, b->pieces.piece[i]->bytes);
        assert_memory_equal(a->pieces.piece[i], b->pieces.piece[i], (size_t)a->pieces.piece[i]->bytes);
    }
}

static void bytes_come_back(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutCached made = made_of("cup", 400, &mesh), back;
    AbutCacheKey key = abut_cache_key(&mesh, &rough), other = abut_cache_key(&mesh, NULL);
    char *bytes = NULL;
    size_t count = 0;
    assert_true(made.pieces.count > 1);
    assert_true(abut_cache_encode(&made, key, &bytes, &count));
    assert_true(abut_cache_decode(bytes, count, key, &back));
    check_same(&made, &back);
    abut_cached_free(&back);
    assert_false(abut_cache_decode(bytes, count, other, &back));
    for (size_t n = 0; n < count; n = n < 200 ? n + 1 : n + n / 7) /* cut short */
        assert_false(abut_cache_decode(bytes, n, key, &back));
    AbutRng rng = abut_rng(29, 1);
    for (int i = 0; i < check_cases(4000); ++i) { /* a bit turned */
        size_t at = abut_rng_below(&rng, (uint32_t)count);
        char bit = (char)(1 << abut_rng_below(&rng, 8));
        bytes[at] = (char)(bytes[at] ^ bit);
        assert_false(abut_cache_decode(bytes, count, key, &back));
        assert_null(back.hull);
        bytes[at] = (char)(bytes[at] ^ bit);
    }
    abut_free(bytes);
    abut_cached_free(&made);
    abut_mesh_free(&mesh);
}

static void keys_tell_meshes_apart(void **state) {
    (void)state;
    AbutMesh mesh;
    AbutError error = {0};
    good(abut_mesh_make("torus", 500, NULL, &mesh, &error), &error);
    AbutCacheKey key = abut_cache_key(&mesh, &rough), changed;
    AbutDecomposeDef finer = rough;
    finer.excess = 0.09;
    changed = abut_cache_key(&mesh, &finer);
    assert_memory_not_equal(&key, &changed, sizeof key);
    finer = rough, finer.max_pieces = 7;
    changed = abut_cache_key(&mesh, &finer);
    assert_memory_not_equal(&key, &changed, sizeof key);
    mesh.vertices[17].y = nextafter(mesh.vertices[17].y, 1.0);
    changed = abut_cache_key(&mesh, &rough);
    assert_memory_not_equal(&key, &changed, sizeof key);
    assert_int_not_equal(key.word[0], changed.word[0]);
    assert_int_not_equal(key.word[1], changed.word[1]);
    abut_mesh_free(&mesh);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static int count_files(const char *folder) {
    DIR *dir = opendir(folder);
    int n = 0;
    for (const struct dirent *d; dir && (d = readdir(dir)) != NULL;) n += d->d_name[0] != '.';
    if (dir) closedir(dir);
    return n;
}

static void write_model(void) {
    AbutMesh mesh;
    AbutError error = {0};
    static const char *const names[] = {"cup", "finger", "cross"};
    for (int i = 0; i < 3; ++i) {
        char name[64];
        good(abut_mesh_make(names[i], 600, NULL, &mesh, &error), &error);
        snprintf(name, sizeof name, "%s.obj", names[i]);
        good(abut_mesh_write(tool_path(&tool, name), &mesh, &error), &error);
        abut_mesh_free(&mesh);
    }
    tool_file(&tool, "model.xml",
        "<mujoco><asset><mesh file='cup.obj'/><mesh file='finger.obj'/><mesh file='cross.obj'/></asset><worldbody>"
        "<body><freejoint/><geom type='mesh' mesh='cup'/></body>"
        "<body pos='1 0 0'><freejoint/><geom type='mesh' mesh='finger'/><geom type='mesh' mesh='cross'/></body>"
        "<geom type='mesh' mesh='cup' pos='0 2 0' contype='0' conaffinity='0'/></worldbody></mujoco>");
    tool_file(&tool, "model.urdf",
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
        "<collision><geometry><mesh filename='cup.obj' scale='2 2 2'/></geometry></collision></link></robot>");
}

static uint64_t hash_of_model(const char *file, const char *cache, int pieces) {
    AbutModelReadOptions options = {.cache = cache, .convex_pieces = pieces};
    AbutModel *model;
    AbutError error = {0};
    uint64_t hash = 29;
    good(abut_model_read(tool_path(&tool, file), &options, &model, &error), &error);
    for (int32_t i = 0; i < model->shape_count; ++i)
        hash = abut_hash(&model->shapes[i].geometry->polyhedron->hash, sizeof(uint64_t), hash);
    for (int32_t i = 0; i < model->body_count; ++i) hash = abut_hash(&model->bodies[i].mass, sizeof(double), hash);
    hash += (uint64_t)model->shape_count;
    abut_model_free(model);
    return hash;
}

static void models_are_the_same(void **state) {
    (void)state;
    char cache[300];
    write_model();
    snprintf(cache, sizeof cache, "%s/deep/er/cache", tool.folder);
    static const char *const files[] = {"model.xml", "model.urdf"};
    int before = count_files(tool.folder);
    for (int f = 0; f < 2; ++f) {
        uint64_t hulls = hash_of_model(files[f], NULL, 0), pieces = hash_of_model(files[f], NULL, 1);
        assert_int_not_equal(hulls, pieces);
        assert_int_equal(count_files(tool.folder), before + f); /* nothing beside the user's files */
        for (int turn = 0; turn < 2; ++turn) {
            assert_int_equal(hash_of_model(files[f], cache, 1), pieces);
            assert_int_equal(hash_of_model(files[f], cache, 0), hulls);
        }
        assert_int_equal(count_files(cache), f == 0 ? 6 : 8); /* with pieces, and hulls alone */
        assert_int_equal(count_files(tool.folder), before + 1);
    }
    assert_int_equal(hash_of_model("model.xml", "/proc/nowhere", 1), hash_of_model("model.xml", NULL, 1));
    assert_int_equal(hash_of_model("model.xml", tool_path(&tool, "cup.obj"), 1), hash_of_model("model.xml", NULL, 1));
}

/* Every file of the folder replaced by something else. */
static void spoil(const char *cache, int how) {
    char name[32][64], path[512];
    int n = 0;
    DIR *dir = opendir(cache);
    assert_non_null(dir);
    for (const struct dirent *d; n < 32 && (d = readdir(dir)) != NULL;)
        if (d->d_name[0] != '.') snprintf(name[n++], sizeof name[0], "%.60s", d->d_name);
    closedir(dir);
    assert_true(n > 0);
    for (int i = 0; i < n; ++i) {
        snprintf(path, sizeof path, "%.250s/%.63s", cache, name[i]);
        FILE *f = how < 2 ? fopen(path, how == 0 ? "w" : "r+") : NULL;
        if (how == 0) assert_true(fputs("hello", f) >= 0);
        if (how == 1) assert_true(fseek(f, 300, SEEK_SET) == 0 && fputs("####", f) >= 0);
        if (f) fclose(f);
        if (how >= 2) assert_int_equal(unlink(path), 0);
        if (how == 2) assert_int_equal(mkfifo(path, 0600), 0); /* reading it would wait for ever */
        if (how == 3) assert_int_equal(mkdir(path, 0700), 0);
        if (how == 4) assert_int_equal(symlink("/dev/zero", path), 0);
        if (how == 5) assert_int_equal(symlink(path, path), 0);
    }
}

static void spoiled_files_do_no_harm(void **state) {
    (void)state;
    char cache[300];
    write_model();
    uint64_t right = hash_of_model("model.xml", NULL, 1);
    for (int how = 0; how < 6; ++how) {
        snprintf(cache, sizeof cache, "%s/cache%d", tool.folder, how);
        assert_int_equal(hash_of_model("model.xml", cache, 1), right);
        spoil(cache, how);
        assert_int_equal(hash_of_model("model.xml", cache, 1), right);
        assert_int_equal(hash_of_model("model.xml", cache, 1), right);
    }
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

static void oldest_files_go(void **state) {
    (void)state;
    char path[400];
    AbutMesh mesh;
    AbutCached made = made_of("cross", 300, &mesh), back;
    AbutCacheKey key[5];
    struct stat about = {0};
    snprintf(path, sizeof path, "%s/foreign.pieces", tool.folder);
    tool_file(&tool, "foreign.pieces", "not ours");
    for (int i = 0; i < 5; ++i) {
        key[i] = (AbutCacheKey){{(uint64_t)i, 7}};
        abut_cache_put(tool.folder, key[i], &made);
        snprintf(path, sizeof path, "%s/%016x%016x.pieces", tool.folder, (unsigned)i, 7U);
        assert_int_equal(stat(path, &about), 0);
        struct timespec then[2] = {{1000000 + i, 0}, {1000000 + i, 0}};
        assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
    }
    assert_true(abut_cache_get(tool.folder, key[0], &back)); /* used now */
    check_same(&made, &back);
    abut_cached_free(&back);
    abut_cache_trim(tool.folder, 3 * (uint64_t)about.st_size);
    for (int i = 0; i < 5; ++i) {
        int there = abut_cache_get(tool.folder, key[i], &back);
        assert_int_equal(there, i == 0 || i >= 3);
        abut_cached_free(&back);
    }
    abut_cache_trim(tool.folder, 0);
    assert_int_equal(count_files(tool.folder), 1); /* the foreign one */
    abut_cached_free(&made);
    abut_mesh_free(&mesh);
}

static void folder_of_the_user(void **state) {
    (void)state;
    char out[100];
    setenv("HOME", "/h/me", 1);
    unsetenv("ABUT_CACHE");
    unsetenv("XDG_CACHE_HOME");
    assert_true(abut_cache_folder(out, sizeof out));
    assert_string_equal(out, "/h/me/.cache/abut");
    setenv("XDG_CACHE_HOME", "/caches", 1);
    assert_true(abut_cache_folder(out, sizeof out));
    assert_string_equal(out, "/caches/abut");
    setenv("XDG_CACHE_HOME", "relative", 1); /* to be ignored, as its specification says */
    assert_true(abut_cache_folder(out, sizeof out));
    assert_string_equal(out, "/h/me/.cache/abut");
    assert_false(abut_cache_folder(out, 10));
    setenv("ABUT_CACHE", "/tmp/own", 1);
    assert_true(abut_cache_folder(out, sizeof out));
    assert_string_equal(out, "/tmp/own");
    setenv("ABUT_CACHE", "", 1);
    assert_false(abut_cache_folder(out, sizeof out));
    assert_string_equal(out, "");
}

int main(void) {
#ifndef ABUT_TEST_XML
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_come_back), cmocka_unit_test(keys_tell_meshes_apart),
        cmocka_unit_test_setup_teardown(models_are_the_same, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(spoiled_files_do_no_harm, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(oldest_files_go, open_folder, close_folder),
        cmocka_unit_test(folder_of_the_user)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
