/* SPDX-License-Identifier: Apache-2.0 */
/* xacro into models: values against arithmetic by hand, the limits, and what is refused, with the line. */
#include "support/check.h"
#include "import/parse.h"

#include <string.h>

#include "abut/import.h"

static AbutError error;

#define MASS(x, y, z)                                                                                                  \
    "<inertial><mass value='" x "'/><origin xyz='" y " " z                                                             \
    " 0'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"

static AbutStatus parse(const char *inside, const AbutModelReadOptions *options, AbutModel **out) {
    static char text[60000];
    snprintf(text, sizeof text, "<robot name='r' xmlns:xacro='x'>\n%s\n</robot>", inside);
    return abut_model_parse_urdf(text, strlen(text), "r.xacro", options, out, &error);
}

static AbutModel *read_text(const char *inside) {
    AbutModel *model;
    good(parse(inside, NULL, &model), &error);
    return model;
}

static void refuse(const char *inside, AbutStatus status, const char *part) {
    AbutModel *model;
    if (parse(inside, NULL, &model) != status || !strstr(error.text, part) || strncmp(error.text, "r.xacro:", 8) != 0)
        fail_msg("%s\n gave '%s', expected '%s'", inside, error.text, part);
}

static void test_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1 + 2 * 3", 7}, {"-2 ** 2", -4}, {"2 ** 3 ** 2", 512}, {"2 ** -1", 0.5}, {"7 // 2 + 7 % 4", 6},
        {"-7 // 2", -4}, {"-7 % 3", 2}, {"7 / 2", 3.5}, {"1 if 2 > 1 else 1 / 0", 1}, {"0 and 1 / 0", 0},
        {"3 or 1 / 0", 3}, {"1 if not '' else 2", 1}, {"sin(pi / 6) * 2", 1}, {"atan2(1, 1) * 4", 3.141592653589793},
        {"degrees(pi)", 180}, {"round(2.5) + round(3.5)", 6}, {"int('12') + float('0.5')", 12.5},
        {"max(1, 3, 2) - min(4, 2)", 1}, {"p + q", 1.75}, {"1 if side == 'left' else -1", 1}, {"abs(-3)", 3},
        {"(((1)))", 1}, {"1e3", 1000}, {"acos(-1) - asin(0)", 3.141592653589793}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[1000];
        snprintf(text, sizeof text,
            "<xacro:property name='q' value='${p - 0.25}'/><xacro:property name='p' value='1'/><xacro:property "
            "name='side' value=\"left\"/>"
            "<link name='a'><inertial><mass value='1'/><origin xyz=\"${1.0 * (%s)} 0 0\"/><inertia ixx='1' iyy='1' "
            "izz='1'/></inertial></link>",
            cases[i].text);
        AbutModel *model = read_text(text);
        CHECK_NEAR(model->bodies[0].center.x, cases[i].value, 1e-15 * (1 + fabs(cases[i].value)));
        abut_model_free(model);
    }
}

/* A chain of links, each made by the macro that calls itself. */
static void test_macros(void **state) {
    (void)state;
    AbutModel *model = read_text("<xacro:macro name='chain' params='n:=5 parent *joint size:=^|0.5'>\n"
                                 "<link name='l${n}'>" MASS("${n * size}", "${size}",
                                     "0") "</link>"
                                          "<joint name='j${n}' type='continuous'><parent link='${parent}'/><child "
                                          "link='l${n}'/><xacro:insert_block name='joint'/></joint>\n"
                                          "<xacro:if value='${n &gt; 1}'><xacro:chain n='${n - 1}' "
                                          "parent='l${n}'><xacro:insert_block name='joint'/></xacro:chain></xacro:if>"
                                          "</xacro:macro><link name='base'/><xacro:property name='size' value='0.25'/>"
                                          "<xacro:chain parent='base'><axis xyz='0 1 0'/></xacro:chain>");
    assert_int_equal(model->body_count, 6);
    assert_int_equal(model->joint_count, 5);
    for (int i = 0; i < 5; ++i) {
        CHECK_VEC_NEAR(model->joints[i].axis, abut_axis(1), 0);
        CHECK_NEAR(model->bodies[i + 1].mass, 0.25 * (5 - i), 1e-15);
        CHECK_NEAR(model->bodies[i + 1].center.x, 0.25, 0);
    }
    abut_model_free(model);
    AbutAttribute argument = {"name", "given"};
    const AbutModelReadOptions options = {.argument_count = 1, .arguments = &argument};
    good(parse("<xacro:arg name='name' default='own'/><link name='$(arg name)'/>", &options, &model), &error);
    assert_string_equal(model->bodies[0].name, "given");
    abut_model_free(model);
}

static void test_limits(void **state) {
    (void)state;
    refuse("<xacro:macro name='a'><xacro:a/></xacro:macro><xacro:a/><link name='l'/>", ABUT_ERROR_LIMIT, "deep");
    static char text[20000];
    size_t n = 0;
    for (int i = 0; i < 60; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n,
            "<xacro:macro name='m%d'><xacro:m%d/><xacro:m%d/></xacro:macro>", i, i + 1, i + 1);
    snprintf(text + n, sizeof text - n, "<xacro:macro name='m60'/><xacro:m0/><link name='l'/>");
    refuse(text, ABUT_ERROR_LIMIT, "parts");
    n = 0;
    for (int i = 0; i < 40; ++i)
        n += (size_t)snprintf(
            text + n, sizeof text - n, "<xacro:property name='p%d' value='${p%d}${p%d}'/>", i, i + 1, i + 1);
    snprintf(text + n, sizeof text - n, "<xacro:property name='p40' value='xx'/><link name='${p0}'/>");
    refuse(text, ABUT_ERROR_LIMIT, "at most");
    memset(text, '(', 1000);
    strcpy(text + 1000, "1}'/>");
    memcpy(text, "<link name='${", 14);
    refuse(text, ABUT_ERROR_FORMAT, "fewer parts");
}

static void test_refused(void **state) {
    (void)state;
    refuse("<link name='${x}'/>", ABUT_ERROR_FORMAT, ":2: <link>: expected a property that is defined, got 'x'");
    refuse("<link name='${1 / 0}'/>", ABUT_ERROR_FORMAT, "divisor other than 0");
    refuse("<link name='${1'/>", ABUT_ERROR_FORMAT, "expected '}'");
    refuse("<link name='${10 ** 400}'/>", ABUT_ERROR_FORMAT, "finite");
    refuse("<link name='${a[0]}'/>", ABUT_ERROR_FORMAT, "lists and tables are not read");
    refuse("<link name='$(env HOME)'/>", ABUT_ERROR_UNSUPPORTED, "got '$(env HOME)'");
    refuse("<link name='$(find nowhere_to_be_found)'/>", ABUT_ERROR_FILE, "got 'nowhere_to_be_found'");
    refuse("<xacro:include filename='/etc/hostname'/><link name='l'/>", ABUT_ERROR_FORMAT, "in a package");
    refuse("<xacro:include filename='a' ns='b'/>", ABUT_ERROR_UNSUPPORTED, "attribute ns");
    refuse("<xacro:what/>", ABUT_ERROR_FORMAT, "macro that is defined, got 'what'");
    refuse("<xacro:macro name='m' params='a'/><xacro:m/>", ABUT_ERROR_FORMAT, "parameter, got 'a'");
    refuse("<xacro:macro name='m' params='a:b'/><xacro:m a='1'/>", ABUT_ERROR_FORMAT, "NAME:=DEFAULT");
    refuse("<xacro:if value='perhaps'/>", ABUT_ERROR_FORMAT, "got 'perhaps'");
    refuse("<xacro:property name='a' value='${a}'/><link name='${a}'/>", ABUT_ERROR_FORMAT, "use itself");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_refused),
    };
#ifdef ABUT_TEST_XML
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    (void)tests;
    return 77;
#endif
}
