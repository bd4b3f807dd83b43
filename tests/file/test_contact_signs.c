/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which way contacts point. Contact files have the normal from body_b into body_a, the library from A to B: the rows
 * that both give are those of earlier versions, bit for bit.
 */
#include "support/check.h"

#include "abut/file.h"
#include "abut/literature.h"

#include <string.h>

enum { DOF = 8, ROWS = 16 };

/* Bodies on both sides of a contact, one of them with a Jacobian; a fixed body on either side; tangents given or not.
 */
static const char *const file =
    "{ \"bodies\": [ {\"name\": \"low\", \"position\": [0.1, 0.2, 0.3]},"
    "{\"name\": \"top\", \"position\": [0.3, -0.7, 1.1], \"rotation\": [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]],"
    "\"body_jacobian\": "
    "[[0,0,0,0,0,0,0.5,0.1],[0,0,0,0,0,0,0,1.7],[0,0.3,0,0,0,0,0,0],[0,0,0,0,0,0,0,0.7],[0,0,0,0,0,0,0.2,0],[0,0,0,0,0,"
    "0,1,0.9]]} ],"
    "\"n_t\": 3,"
    "\"contacts\": ["
    "{\"body_a\": \"low\", \"body_b\": \"ground\", \"point\": [0.5, 0.25, 0], \"normal\": [0.1, 0, 2]},"
    "{\"body_a\": \"top\", \"body_b\": \"low\", \"point\": [0.4, 0.1, 0.7], \"normal\": [0, 0.3, 1], \"tangents\": "
    "[[1, 0, 0], [0, 1, -0.3]]},"
    "{\"body_a\": \"low\", \"body_b\": \"top\", \"point\": [-0.3, 0.1, 0.9], \"normal\": [1, 2, 3]},"
    "{\"body_a\": \"wall\", \"body_b\": \"top\", \"point\": [1, 1, 1], \"normal\": [0, 1, 0]} ] }";

/* Normal rows of the four contacts, then three tangent rows each. */
static const double expected[ROWS][DOF] = {{0x1.9916c5f3a7774p-5, 0x0p+0, 0x1.ff5c777091551p-1, 0x1.9916c5f3a7772p-5,
                                               -0x1.a86e06f997588p-2, -0x1.47456b2952c5cp-9, 0x0p+0, 0x0p+0},
    {0x0p+0, 0x0p+0, -0x1.ea6834f48c4b7p-1, 0x1.af8ee6ebaea8cp-3, 0x1.263e862c542d5p-2, -0x1.6117d43531cffp-4,
        -0x1.20c06dd2c1334p-7, 0x1.511b16799cdacp-1},
    {0x1.11acee560242ap-2, 0x1.2d0b062b68e2ep-2, 0x1.9a8365810363fp-1, -0x1.9a8365810364p-2, 0x1.ec9dad013744cp-2,
        -0x1.7f254dab9cc3cp-3, 0x1.3c5e6fad277a2p-2, -0x1.40bf693ff0376p-2},
    {0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.15810624dd2f2p+0, -0x1.c5a1cac083128p+0},
    {0x0p+0, 0x1p+0, 0x0p+0, 0x1.3333333333333p-2, 0x0p+0, 0x1.999999999999ap-2, 0x0p+0, 0x0p+0},
    {-0x1.bada0ebfb3a0dp-1, 0x1.0000000000001p-1, 0x1.62480bcc8fb3ep-5, 0x1.37a0e68c28325p-3, 0x1.effe76eb2f956p-3,
        0x1.f22b9c8cbd86bp-3, 0x0p+0, 0x0p+0},
    {-0x1.bada0ebfb3a0ep-1, -0x1.ffffffffffffcp-2, 0x1.62480bcc8fb3fp-5, -0x1.2ec57fda3e34p-3, 0x1.effe76eb2f958p-3,
        -0x1.410796a675ac8p-3, 0x0p+0, 0x0p+0},
    {-0x1p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.9999999999999p-2, -0x1.999999999999ap-4, -0x1.189374bc6a7efp-1,
        -0x1.1f3b645a1cacp+1},
    {-0x1.0000000000001p-1, -0x1.ceedacc9d86d4p-1, 0x1.fda55deea7cf2p-3, 0x1.3a481c0ee77b8p-2, -0x1.193f347d65f8cp-2,
        -0x1.3205e22a871aep-2, 0x1.f5c48f00065ep-4, -0x1.0b1e72ed6cb2ap-4},
    {0x1.ffffffffffffcp-2, -0x1.ceedacc9d86d5p-1, 0x1.fda55deea7cf3p-3, 0x1.3a481c0ee77b9p-2, 0x1.00b4ca386741ap-3,
        -0x1.973ef7884168fp-3, 0x1.574c069c6b4abp-1, 0x1.16e270c2b1468p+1},
    {0x0p+0, 0x1.ff363206bd5dbp-1, -0x1.1c01aa03be896p-1, -0x1.c6691005fda8bp-2, -0x1.c6691005fda8ap-3,
        -0x1.54cecc047e3e8p-2, 0x1.4bb8373792c52p-3, -0x1.4dfddc6acda38p-3},
    {-0x1.ab4697ed53856p-1, 0x1.23c28c44be5dap-1, -0x1.5b358f93e9cd2p-4, -0x1.45ceab1260df8p-2, -0x1.11b9d588fdcd8p-1,
        -0x1.347263e4952ecp-2, -0x1.434f8ce21fe2bp-2, -0x1.0952db7038fdp+1},
    {-0x1.ab4697ed53857p-1, -0x1.b6e74b83fep-2, 0x1.e135f022829f7p-2, 0x1.0134c9e739924p-3, -0x1.403f230efcc6cp-2,
        0x1.02e340ff487cep-5, -0x1.e92ba87de9457p-2, -0x1.e8e5fb5318459p+0},
    {0x0p+0, 0x1.3333333333333p-2, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.6c8b439581063p-2, 0x1.49ba5e353f7cfp-2},
    {0x0p+0, 0x1.3333333333334p-3, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.669ca7c1979b6p+0, -0x1.2b4f07c5f73bap+1},
    {0x0p+0, -0x1.3333333333331p-3, 0x0p+0, 0x0p+0, 0x0p+0, 0x0p+0, -0x1.0b79d6dc3759ep+0, -0x1.5486538c9f2b5p+1}};

static AbutModeSystem read_file(void) {
    AbutModeSystem s;
    AbutError error = {0};
    good(abut_mode_system_read("t.json", file, strlen(file), -1, &s, &error), &error);
    assert_int_equal(s.dof, DOF);
    assert_int_equal(s.contacts * (1 + s.lines), ROWS);
    return s;
}

static void rows_of_a_file_keep_their_bits(void **state) {
    (void)state;
    AbutModeSystem s = read_file();
    assert_memory_equal(s.normal_rows, expected, sizeof(double) * 4 * DOF);
    assert_memory_equal(s.tangent_rows, expected[4], sizeof(double) * 12 * DOF);
    abut_mode_system_free(&s);
}

/* The file's body_b is A, its body_a is B; the normal is as in the file. */
static void files_turn_their_contacts(void **state) {
    (void)state;
    static const int bodies[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {1, -1}};
    AbutModeSystem s = read_file();
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(s.def->contacts[i].body_a, bodies[i][0]);
        assert_int_equal(s.def->contacts[i].body_b, bodies[i][1]);
    }
    CHECK(s.def->contacts[0].normal.z == 2.0);
    abut_mode_system_free(&s);
}

/* Rows of small whole numbers: the same on every machine. */
static void rows_of_named_systems_keep_their_bits(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t hash;
    } systems[] = {{"box:1", 0x806fdda11a0831d5}, {"box:5", 0x63873981f1d14eea}, {"box-box:2", 0x91cca127c214f0d8}};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; ++i) {
        AbutModeSystem s;
        assert_int_equal(abut_mode_builtin(systems[i].name, &s, NULL), ABUT_OK);
        size_t numbers = (size_t)(s.contacts * (1 + s.lines) * s.dof);
        assert_true(abut_hash(s.normal_rows, numbers * sizeof(double), 0) == systems[i].hash);
        abut_mode_system_free(&s);
    }
}

/* Moving B along the normal, or A against it, parts the bodies. */
static void bodies_part_along_the_normal(void **state) {
    (void)state;
    AbutPointContact c = {.normal = {0, 0, 1}, .body_a = 0, .body_b = 1};
    AbutModeBody bodies[2] = {{.kind = ABUT_MODE_BODY_FREE}, {.kind = ABUT_MODE_BODY_FREE, .first_dof = 6}};
    AbutModeSystem s;
    AbutModeSystemDef def = {.contacts = &c, .contact_count = 1, .bodies = bodies, .body_count = 2, .dof = 12};
    assert_int_equal(abut_mode_system_build(&def, &s, NULL), ABUT_OK);
    CHECK(s.normal_rows[6 + 2] == 1.0 && s.normal_rows[2] == -1.0);
    abut_mode_system_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_file_keep_their_bits),
        cmocka_unit_test(files_turn_their_contacts),
        cmocka_unit_test(rows_of_named_systems_keep_their_bits),
        cmocka_unit_test(bodies_part_along_the_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
