/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of joints from CSV: what is read, and what is refused with its place. */
#include "support/check.h"

#include "abut/file.h"

#include <string.h>

static AbutStatus parse(const char *text, const AbutModel *model, AbutPlanJointLimits *out, AbutError *error) {
    return abut_limits_read("limits.csv", text, strlen(text), model, out, error);
}

static void rows_are_read(void **state) {
    (void)state;
    AbutModel *model;
    AbutPlanJointLimits x[6];
    AbutError error;
    good(abut_model_build("arm6", 1, &model, &error), &error);
    good(parse("# arm\njoint,speed,torque,upper\n*,1.5,,\n \"upper\" , ,20, 0.5\n\r\nfore,2,,\n", model, x, &error),
        &error);
    CHECK(x[0].speed == 1.5 && isnan(x[0].torque) && isnan(x[0].upper) && isnan(x[0].acceleration));
    CHECK(x[1].speed == 1.5 && x[1].torque == 20.0 && x[1].upper == 0.5 && isnan(x[1].lower));
    CHECK(x[2].speed == 2.0);
    /* the row of a joint goes before that of *, wherever that stands */
    good(parse("joint,speed,torque\nfore,2,\n*,1.5,7\n", model, x, &error), &error);
    CHECK(x[2].speed == 2.0 && x[2].torque == 7.0 && x[1].speed == 1.5 && x[1].torque == 7.0);
    abut_model_free(model);
}

static void bad_rows_are_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {{"", "expected a line joint,..."}, {"a,b\n", "joint,lower,upper"},
        {"joint,spead\n", "got 'spead'"}, {"joint,speed,speed\n", "at most once"},
        {"joint,speed\nuper,1\n", "did you mean 'upper'"}, {"joint,speed\nupper\n", "expected 2 fields"},
        {"joint,speed\nupper,1,2\n", "got more"}, {"joint,speed\nupper,x\n", "limits.csv:2"},
        {"joint,speed\nupper,-1\n", "expected a number above 0"}, {"joint,speed\nupper,1e999\n", "finite number"},
        {"joint,speed\nupper,1\nfore,1\nupper,2\n", "limits.csv:4: a row that stands there twice"},
        {"joint,speed\n*,1\n*,2\n", "limits.csv:3: a row that stands there twice"},
        {"joint,speed\n\"upper,1\n", "limits.csv:2: expected a name of at most 1000 characters between two quotes"}};
    AbutModel *model;
    AbutPlanJointLimits x[6];
    AbutError error;
    good(abut_model_build("arm6", 1, &model, &error), &error);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_not_equal(parse(bad[i][0], model, x, &error), ABUT_OK);
        if (!strstr(error.text, bad[i][1])) fail_msg("case %d: %s", (int)i, error.text);
    }
    assert_int_not_equal(abut_limits_read("/nonexistent/limits.csv", NULL, 0, model, x, &error), ABUT_OK);
    abut_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_read), cmocka_unit_test(bad_rows_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
