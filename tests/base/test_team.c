/* SPDX-License-Identifier: Apache-2.0 */
/* Work in stages by several threads: every piece once, no stage before the ones it follows, and an end when a piece
 * asks for it; places sorted by a key. */
#include "base/sort.h"
#include "base/team.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 200, WIDTH = 7, PIECES = STAGES * WIDTH };

/* Each piece adds up what all pieces of the stage before it wrote: any that runs too early gives another sum. */
typedef struct Staged {
    uint64_t value[PIECES];
    int seen[PIECES];
    int32_t last; /* the piece that ends the work; -1: none */
} Staged;

static int32_t stages_before(int32_t piece, const void *user) {
    (void)user;
    return piece / WIDTH * WIDTH;
}

static int add_up(int32_t piece, int member, void *user) {
    Staged *s = user;
    uint64_t sum = (uint64_t)piece;
    CHECK(member >= 0 && member < ABUT_TEAM_MOST);
    for (int32_t i = piece / WIDTH * WIDTH - WIDTH; i >= 0 && i < piece / WIDTH * WIDTH; ++i)
        sum = sum * 31 + s->value[i];
    s->value[piece] = sum;
    ++s->seen[piece];
    return piece != s->last;
}

static void stages_follow_each_other(void **state) {
    (void)state;
    static Staged alone, together;
    memset(&alone, 0, sizeof alone);
    alone.last = -1;
    AbutTeamWork work = {PIECES, stages_before, add_up, &alone};
    abut_team_run(1, &work);
    for (int threads = 2; threads <= 9; ++threads) {
        memset(&together, 0, sizeof together);
        together.last = -1;
        work.user = &together;
        abut_team_run(threads, &work);
        for (int i = 0; i < PIECES; ++i) CHECK(together.seen[i] == 1 && together.value[i] == alone.value[i]);
    }
}

/* The only piece of its stage ends the work: nothing after it is done. */
static int32_t one_by_one(int32_t piece, const void *user) {
    (void)user;
    return piece;
}

static void a_piece_may_end_the_work(void **state) {
    (void)state;
    static Staged staged;
    for (int threads = 1; threads <= 4; ++threads) {
        memset(&staged, 0, sizeof staged);
        staged.last = 40;
        AbutTeamWork work = {PIECES, one_by_one, add_up, &staged};
        abut_team_run(threads, &work);
        for (int i = 0; i < PIECES; ++i) assert_int_equal(staged.seen[i], i <= 40);
    }
    AbutTeamWork none = {0, one_by_one, add_up, &staged};
    abut_team_run(3, &none);
}

typedef struct Item {
    int32_t other;
    double key;
} Item;

static void places_are_sorted(void **state) {
    (void)state;
    enum { MOST = 500 };
    static Item item[MOST];
    int32_t order[MOST], room[MOST];
    AbutRng rng = abut_rng(12, 0);
    for (int round = 0; round < check_cases(200); ++round) {
        int32_t n = (int32_t)abut_rng_below(&rng, MOST + 1);
        for (int32_t i = 0; i < n; ++i) {
            item[i].key =
                round % 3 == 0 ? i : (round % 3 == 1 ? (double)abut_rng_below(&rng, 20) : abut_rng_unit(&rng));
            order[i] = round % 2 ? n - 1 - i : i;
        }
        abut_sort_places(&item->key, sizeof *item, order, room, n);
        for (int32_t i = 1; i < n; ++i) {
            double a = item[order[i - 1]].key, b = item[order[i]].key;
            CHECK(a < b || (a == b && order[i - 1] < order[i]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_follow_each_other),
        cmocka_unit_test(a_piece_may_end_the_work),
        cmocka_unit_test(places_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
