/* SPDX-License-Identifier: Apache-2.0 */
/* What `abut plan` and its forms share: a robot, obstacles, the pairs that count, and what is said of a certificate. */
#ifndef ABUT_CLI_PLAN_H
#define ABUT_CLI_PLAN_H

#include "operands.h"
#include "robot.h"

typedef struct PlanSetup {
    Robot robot;
    const char *obstacle_file;       /* NULL: none */
    double radius, voxel;            /* of points, m; NaN: not given */
    int64_t points;                  /* read from the file */
    const char *allow, *pairs, *add; /* texts A:B,C:D, or files; NULL: not given */
    const char *srdf_file;           /* NULL: none */
    AbutSrdf srdf;
    const char *support;                      /* word or name of a body; NULL: none */
    const char *balance, *limits_file, *thin; /* thin: LINK=RADIUS,.. of capsules; NULL: not given */
    int shapes;                               /* 1: capsules around the bodies */
    int32_t support_body, other_body;         /* -1: none */
    int neighbors;
    double margin, balance_margin;
    int quiet;     /* 1: warnings are not printed */
    uint8_t *held; /* per joint of the model; NULL: none is */
    AbutPlanObstacles obstacles;
    AbutPlanningScene scene;   /* of MoveIt, the rest of it; zeros: none */
    const AbutPlanRobot *half; /* the robot's half, made before; NULL: made for this problem alone */
    int proof_only;            /* 1: nothing is searched, and meshes need no convex pieces */
    AbutPlanProblem *problem;
    int has_windows; /* 1: pairs may meet at times */
    int retimed;     /* 1: the motion is retimed, and parts of its time are not known */
} PlanSetup;

PlanSetup plan_setup_make(void);
void plan_setup_free(PlanSetup *setup);

/* Reads the robot and the obstacles; warnings are printed. The second reads the obstacles alone, which are no planning
 * scene. */
void plan_setup_read(PlanSetup *setup);
void plan_read_obstacles(PlanSetup *setup);

/* Triangles of all obstacles. */
int64_t plan_triangles(const PlanSetup *setup);

/* The bodies that --support means. */
void plan_find_support(PlanSetup *setup);

/* Moves the free base so that the support stands there. */
void plan_place_support(PlanSetup *setup, AbutPose stand);

/* Support and balance; `corners` is room for ABUT_PLAN_CORNERS. */
void plan_take_stand(const PlanSetup *setup, AbutVec3 *corners, AbutPlanDef *def);

/* Makes the problem from the robot as it stands; what was left out is told. The second makes the robot's half. */
void plan_setup_problem(PlanSetup *setup);
void plan_setup_half(PlanSetup *setup);

/* Unless it is ABUT_OK: the message about a setting, with the name of its option instead. */
void plan_need(AbutStatus status);

/* "wrist and table". The text holds until the next call. */
const char *plan_pair_text(const AbutPlanProblem *problem, int32_t pair);

/* The names of two links, as rows of tables have them; null for none. */
typedef struct PlanPair {
    const char *name[2];
    int known;
} PlanPair;
PlanPair plan_pair(const AbutPlanProblem *problem, int32_t pair);
#define PLAN_PAIR_FIELD(T, sentence)                                                                                   \
    ABUT_FIELD_AS("pair", T, pair.name, TEXT, "", sentence), .rows = 2, .known_at = offsetof(T, pair.known)

/* Contents of a certificate: "clearance", "balance", "left_out", counts of work. Points into the certificate. */
typedef struct PlanProof {
    AbutCertificate certificate;
    PlanPair pair;
    const AbutPairCertificate *balance; /* NULL: none */
    const char **notes;
    int32_t note_count;
    int64_t triangles, points;
} PlanProof;
PlanProof plan_proof(const PlanSetup *setup, const AbutCertificate *certificate);
extern const AbutRecord plan_proof_record, plan_certificate_file;

/* Balance as a line of text, and the pair that comes nearest; nothing without these. */
void plan_print_balance(const AbutCertificate *certificate);
void plan_print_clearance(const PlanSetup *setup, const AbutCertificate *certificate);

/* The certificate as a file: every pair with its bounds. */
void plan_write_certificate(const char *path, const PlanSetup *setup, double level, const AbutTrajectory *trajectory,
    const AbutCertificate *certificate, const AbutPairCertificate *pairs);

/* Pairs of --allow, --pairs and --add, and those of --allow that have times, into the definition. */
void plan_take_pairs(const PlanSetup *setup, AbutPlanDef *def);

/* With --srdf: the posture of "state:NAME", the joints of "group:NAME" (of NAME, or GROUP/NAME); other texts as they
 * are. */
const char *plan_srdf_text(const PlanSetup *setup, const char *option, const char *text);

/* Sets the configuration; of joint=value,... only those joints change. */
void posture_set(const char *option, const char *text, Robot *robot);

/* Does the name of a file, unless NULL, end so? `other` is NULL, or another ending that will do. */
void plan_check_ending(const char *option, const char *path, const char *ending, const char *other);

/* A motion for a page. */
typedef struct PlanMotion {
    const AbutTrajectory *trajectory;
    const AbutPairCertificate *pairs; /* of the problem; NULL: no curves of distances */
    const char *title;
} PlanMotion;

/* Bodies over time and what they sweep, the pairs that come nearest with what is proved of them, joints; the bodies of
 * another motion on the same clock, unless `beside` is NULL. */
void plan_write_page(const char *path, const PlanSetup *setup, const PlanMotion *motion, const PlanMotion *beside);

/* The robot at several times at once. */
void plan_write_picture(const char *path, const PlanSetup *setup, const AbutTrajectory *trajectory);

typedef struct PlanArgs {
    PlanSetup setup;
    const char *start, *goal, *via, *joints, *method;
    CliTexts goal_pose;
    const char *output, *csv, *cert, *html, *picture;
    double rate;
    int seed, retime, json, mcd;
    double smooth; /* duration before --retime; 0: it was not retimed */
    AbutPlanSettings settings;
    AbutPlan plan;
    const char *roadmap_file; /* NULL: none */
    AbutRoadmap roadmap;
    const AbutPose *stand; /* of the support; NULL: where the state has it */
} PlanArgs;

/* What `abut plan` and its batches take: presets; options of the robot and of the search; settings from these. */
PlanArgs plan_args_make(void);
int plan_robot_options(PlanArgs *args, CliOption *out);
int plan_search_options(PlanArgs *args, CliOption *out);
void plan_check_settings(PlanArgs *args);

/* The roadmap of a file, unless that is NULL, into the settings. */
void plan_read_roadmap(PlanArgs *args, const char *file);

/* The joints that --joints holds. */
void plan_take_held(PlanArgs *args);

/* Coordinates of the posture that the robot is in, which `option` gave; `joints` is room for all joints. */
void plan_take_coordinates(const PlanArgs *args, const char *option, double *joints, double *u);

/* The exit status of a plan. */
int plan_exit_status(AbutPlanStatus status);

enum { PLAN_GOALS = 4 };

/* Coordinates of the start, of goals (several where a pose was asked for) and of postures on the way. */
typedef struct PlanPostures {
    double *numbers; /* the memory of all */
    double *joints, *start, *goals, *via;
    double via_at[ABUT_PLAN_VIA_LIMIT];
    int32_t goal_count, via_count;
} PlanPostures;

/* Reads robot and obstacles, makes the problem and the postures. */
void plan_prepare(PlanArgs *args, PlanPostures *out);

/* Reads the postures, plans and writes the files. */
void plan_run(PlanArgs *args);

/* The motion as a file, unless `path` is NULL. */
void plan_write_trajectory(const PlanArgs *args, const char *path);

/* The words of --method into the settings. */
void plan_take_method(PlanArgs *args);

/* The key `attempts`. */
void plan_put_attempts(AbutJson *json, int32_t count, const AbutPlanAttempt *attempts);

/* Prints the result; gives the exit status. */
int plan_print(const PlanArgs *args);

/* Pairs of links of a planning problem; free both lists with abut_free. */
typedef struct PlanPairs {
    int timed; /* in: A:B@FROM:TO is understood */
    int32_t count, window_count;
    AbutPair *pairs;
    AbutPlanWindow *windows; /* pairs that may meet in a part of the time */
} PlanPairs;

/* From A:B,C:D, or lines with a pair each, where # begins a comment. `obstacles` may be NULL. */
AbutStatus plan_pairs_parse(
    const char *text, const AbutModel *robot, const AbutModel *obstacles, PlanPairs *out, AbutError *error);

#endif
