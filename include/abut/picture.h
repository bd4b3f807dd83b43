/* SPDX-License-Identifier: Apache-2.0 */
/*
 * picture: what people look at. Rendered images and films, plots as SVG, and pages: one HTML file that shows a result
 * in a browser, without network or server.
 */
#ifndef ABUT_PICTURE_H
#define ABUT_PICTURE_H

#include "abut/clearance.h"
#include "abut/import.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* Rows from the top, three bytes a pixel. */
typedef struct AbutImage {
    int32_t width, height;
    uint8_t *rgb;
} AbutImage;

ABUT_API AbutStatus abut_image_create(int width, int height, AbutImage *out, AbutError *error);
ABUT_API void abut_image_free(AbutImage *image); /* leaves an empty image */
ABUT_API AbutStatus abut_image_write_png(const char *path, const AbutImage *image, AbutError *error);

/* An animated GIF, frame by frame; all frames have one size. The file appears at the end. */
typedef struct AbutGif AbutGif;
ABUT_API AbutStatus abut_gif_open(
    const char *path, int width, int height, int delay_ms, AbutGif **out, AbutError *error);
ABUT_API AbutStatus abut_gif_add(AbutGif *gif, const AbutImage *image, AbutError *error);
ABUT_API AbutStatus abut_gif_commit(AbutGif *gif, AbutError *error); /* gives the file its name and frees */
ABUT_API void abut_gif_cancel(AbutGif *gif);                         /* leaves no file */

/* Something to draw: triangles in a frame of their own, or the half-space z <= 0 of it (mesh NULL) as the ground. */
typedef struct AbutRenderItem {
    const AbutMesh *mesh;
    AbutPose pose;
    uint32_t color; /* 0xrrggbb */
} AbutRenderItem;

typedef struct AbutRenderArrow {
    AbutVec3 from, to;
    uint32_t color;
} AbutRenderArrow;

typedef struct AbutRenderDef {
    int32_t width, height;
    AbutVec3 eye, target; /* equal: chosen to show all items */
    double view_angle;    /* vertical, radians */
    uint32_t background;
} AbutRenderDef;

ABUT_API AbutRenderDef abut_render_default(void);

/* Contents of one drawing. */
typedef struct AbutRenderList {
    const AbutRenderItem *items;
    int32_t item_count;
    const AbutRenderArrow *arrows;
    int32_t arrow_count;
} AbutRenderList;

/* Eye and target that show all meshes, as near as that allows. */
ABUT_API void abut_render_aim(const AbutRenderList *list, AbutRenderDef *def);

/* Draws without a graphics card: depth buffer, one sun with shadows on the ground, four samples a pixel. */
ABUT_API AbutStatus abut_render(const AbutRenderList *list, const AbutRenderDef *def, AbutImage *out, AbutError *error);

/* The bodies of a run as meshes, for pictures of its steps. Bodies are drawn at the steps where they are there. */
typedef struct AbutRunView AbutRunView;

/* The run must outlive the view, and no body may join it meanwhile. */
ABUT_API AbutStatus abut_run_view_create(const AbutRun *run, AbutRunView **out, AbutError *error);
ABUT_API void abut_run_view_free(AbutRunView *view); /* accepts NULL */

/* A camera that shows all moving bodies of step `step`; the other fields of *def are left alone. Step -1: of the whole
 * run, what moves is in the picture at every step. Looks at 64 steps of a longer run. */
ABUT_API void abut_run_view_aim(const AbutRunView *view, int step, AbutRenderDef *def);

/* Draws step `step`; `forces` adds an arrow for the force on the second body of each contact. */
ABUT_API AbutStatus abut_run_view_draw(
    const AbutRunView *view, int step, int forces, const AbutRenderDef *def, AbutImage *out, AbutError *error);

/* How a run is drawn. */
typedef struct AbutFilmDef {
    AbutRenderDef render;    /* the camera stands where it sees all that moves, unless it is placed: */
    int has_eye, has_target; /* 1: `eye` or `target` say so */
    AbutVec3 eye, target;
    int forces;         /* with arrows for contact forces */
    double time;        /* of a picture: of the step nearest to it; NaN: of the last */
    double rate, speed; /* of a film: frames a second; seconds of the run per second */
    int follow;         /* of a film: the camera follows the bodies */
    void (*progress)(int32_t frame, int32_t frames, void *user); /* NULL: none */
    void *user;
} AbutFilmDef;

/* A picture (.png) or a film of the whole run (.gif; others are MP4, by the program ffmpeg), by the ending of the name.
 */
ABUT_API AbutStatus abut_run_write_picture(
    const char *path, const AbutRun *run, const AbutFilmDef *def, AbutError *error);

/* ---- plots ------------------------------------------------------------------------------------------------------- */

/* A line of a plot. Points that are not finite leave a gap; what is not positive lies below a logarithmic axis. */
typedef struct AbutPlotSeries {
    const char *name;    /* for the legend */
    const double *x, *y; /* [count] */
    int count;
    int markers;    /* 1: a dot at each point */
    uint32_t color; /* 0xrrggbb; 0: chosen by number */
} AbutPlotSeries;

typedef struct AbutPlot {
    const char *title, *x_label, *y_label; /* NULL: none */
    int log_x, log_y;
    double x_min, x_max, y_min, y_max; /* range of an axis; min >= max: from the data */
    int width, height;                 /* pixels, 200 .. 4000 */
    const AbutPlotSeries *series;
    int series_count;
} AbutPlot;

ABUT_API AbutPlot abut_plot_default(void);

/* Writes the plot as SVG: axes with ticks, a legend, the lines thinned to what can be seen. */
ABUT_API AbutStatus abut_plot_write_svg(const char *path, const AbutPlot *plot, AbutError *error);

/* ---- pages ------------------------------------------------------------------------------------------------------- */

/*
 * A page is one HTML file that shows a result in a browser, without network or server; docs/howto/panels.md tells what
 * is in it. Names and texts are shown as they are, never read as markup. All vectors are in world axes unless said
 * otherwise.
 */

/* 1 when the page template is part of this build; else the writers fail with ABUT_ERROR_UNSUPPORTED. */
ABUT_API int abut_page_available(void);

/* Parts of every page; texts may be NULL. */
typedef struct AbutPageHead {
    const char *title, *subtitle;
    const char *note;    /* beside a single result: tells the method */
    const char *outcome; /* of a distance or an overlap: what came out, in a word */
    size_t size_limit;   /* of a run, bytes; 0: 3,000,000 */
    int without_charts;  /* of a run: 1: bodies only, for a run that is no simulation */
    int stages;          /* of a run: 1: a chart of the time that each stage of a step took */
    int names;           /* of a run: 1: the names of bodies stand at them when the page opens */
    /* For a run: another one to show beside it, on one clock and with the same limit of size; else NULL. */
    const AbutRun *beside;
    const char *beside_title;
    const AbutModel *robot; /* of a run: the model of its one robot, to be posed by hand on the page; else NULL */
    /* For a run: lines of charts besides those of its columns; lines of one title share a chart. */
    int32_t line_count;
    const struct AbutPageLine {
        const char *title, *name, *unit;
        const double *values; /* one per step of the run */
    } * lines;
} AbutPageHead;

/* Parts that a page of a run left out to keep its size. */
typedef struct AbutPageReport {
    int32_t frame_stride;   /* 1: every step is a frame; 4: every fourth */
    int32_t contact_stride; /* the same for contacts, counted in steps */
    int64_t
        size; /* of the page, bytes to within a few: above the limit where the charts and the page itself need more */
} AbutPageReport;

/*
 * Bodies over time, with their contacts and charts of the columns that the table of the run names. A body is shown from
 * when it is there to when it is gone; contacts with bodies that are not in the run are shown without them. When the
 * page would pass its size limit, contacts and then frames are kept of every 2nd, 4th, ... step; the page states it,
 * and so does *report, which may be NULL. Charts and their tables always have every step, so that a page may pass a
 * limit that is less than they need.
 */
ABUT_API AbutStatus abut_page_write_run(
    const char *path, const AbutPageHead *head, const AbutRun *run, AbutPageReport *report, AbutError *error);

/* The bodies of a model where they stand, and the distance between the first two; `distance` in world coordinates. */
ABUT_API AbutStatus abut_page_write_distance(
    const char *path, const AbutPageHead *head, const AbutModel *model, const AbutGap *distance, AbutError *error);

/* Two meshes, convex or not, of which B takes one pose or more; distances in world coordinates. */
typedef struct AbutPageMeshes {
    const AbutMesh *mesh[2];
    const AbutConvex *convex[2]; /* where the mesh is NULL: this body; of one without end a plate is shown */
    const char *name[2];         /* may be NULL */
    AbutPose pose_a;
    int32_t count;           /* of what follows */
    const double *times;     /* growing */
    const AbutPose *pose_b;  /* at each time */
    const AbutGap *distance; /* at each time */
    /* For a certified clearance; else NULL and 0. */
    const AbutPose *poses_a; /* at each time, instead of pose_a */
    const double *lower;     /* at each time: below it the distance is proved not to fall around there */
    const AbutClearanceMinimum *minima;
    int32_t minimum_count;
    /* For a separation direction; else NULL. */
    const AbutVec3 *direction; /* at each time: unit, from A to B, or zero */
    const double *soft;        /* at each time: the soft distance */
} AbutPageMeshes;

/* With one pose the distance there, with more the meshes over time, the curve of the distance with its certified band,
 * the minima as marks and as times to go to, and the directions on the unit sphere. */
ABUT_API AbutStatus abut_page_write_meshes(
    const char *path, const AbutPageHead *head, const AbutPageMeshes *meshes, AbutError *error);

/* A clearance over a motion: its curve and what was asked. */
typedef struct AbutPageClearance {
    const AbutMover *a, *b;
    AbutClearanceSpace *space;
    double from, to;
    const AbutClearanceSample *samples; /* of the whole curve */
    int32_t sample_count;
} AbutPageClearance;

/* As abut_page_write_meshes, whose times, poses, distances and lower bounds are found. */
ABUT_API AbutStatus abut_page_write_clearance(const char *path, const AbutPageHead *head, AbutPageMeshes meshes,
    const AbutPageClearance *clearance, AbutError *error);

/* A plate of a body without end, a half-space or a plane, in its own frame: below and around the other body in all
 * poses of the page. Release with abut_polyhedron_free. */
ABUT_API AbutStatus abut_picture_plate(const AbutPageMeshes *page, int which, AbutPolyhedron **out, AbutError *error);

/* The bodies of a model and the overlap of the first two, which is given in a frame of that pose. Without a volume only
 * the volume is reported as 0. */
ABUT_API AbutStatus abut_page_write_overlap(const char *path, const AbutPageHead *head, const AbutModel *model,
    const AbutOverlap *overlap, AbutPose frame, AbutError *error);

/* A motion of a robot among obstacles: bodies over time with what they sweep, the distances of pairs of links with what
 * is proved of them, the closest moments, joints, balance. */
typedef struct AbutPagePlan {
    const AbutPlanProblem *problem;
    const AbutTrajectory *trajectory; /* one piece or more, of the joints of the problem's model */
    const AbutPairCertificate *pairs; /* per pair of the problem; NULL: no curves of distances */
    const AbutTrajectory *beside;     /* another motion, shown beside on the same clock: its bodies alone; NULL: none */
    const char *beside_title;
} AbutPagePlan;

ABUT_API AbutStatus abut_page_write_plan(
    const char *path, const AbutPageHead *head, const AbutPagePlan *plan, AbutError *error);

/* The robot at seven times at once among the obstacles, as a picture (.png). The models are those of the problem. */
ABUT_API AbutStatus abut_picture_plan(
    const char *path, const AbutPagePlan *plan, const AbutModel *robot, const AbutModel *obstacles, AbutError *error);

/* A model: frame 0 is the reference, then one frame a second for each keyframe; with a keyframe or a state (of the
 * order of abut/robot.h) that alone. `key` -1: all; `positions` NULL: no state. */
ABUT_API AbutStatus abut_page_write_model(const char *path, const char *title, const AbutModel *model, int32_t key,
    const double *positions, AbutError *error);

/* Convex pieces that move apart. */
ABUT_API AbutStatus abut_page_write_pieces(
    const char *path, const char *title, const AbutPieces *pieces, AbutError *error);

/* Contact modes; texts as from abut_mode_text. A twist is the velocity of the body's origin and its angular velocity.
 */
typedef struct AbutPageModes {
    const AbutModel *model;           /* bodies where they stand */
    const AbutPointContact *contacts; /* body numbers of the model, or -1 */
    int32_t contact_count, lines, mode_count;
    const char *const *texts; /* [modes] */
    const int32_t *ranks;     /* [modes] */
    const int8_t *feasible;   /* [modes]: 1 some forces balance it, 0 none; NULL: not asked */
    const double *twists;     /* [modes, bodies, 6] */
} AbutPageModes;

ABUT_API AbutStatus abut_page_write_modes(
    const char *path, const AbutPageHead *head, const AbutPageModes *modes, AbutError *error);

/* Modes of a system that has a def, as abut_mode_collect lists them: bodies, ranks and velocities are found. Without a
 * scene bodies are hulls of their contact points, or as `source` names them: a system of abut_mode_builtin. */
typedef struct AbutPageModeList {
    const AbutModeSystem *rows;
    const AbutModeList *list;
    int contacts_only;               /* 1: the list has no sliding directions */
    const AbutScene *scene;          /* where the system came from, or NULL */
    const AbutContactList *contacts; /* of the scene: the vertices are the contacts of the system */
    const char *source;              /* its name */
    const AbutModeForces *forces;    /* NULL: not known */
} AbutPageModeList;

ABUT_API AbutStatus abut_page_write_mode_list(
    const char *path, const AbutPageHead *head, const AbutPageModeList *modes, AbutError *error);

/* Modes by layers of dimension, and how many neighbors of one dimension less they have together. */
typedef struct AbutModeLayers {
    int layer_count;
    int *layers; /* modes of dimension 0, 1, ...; free with abut_free */
    size_t edge_count;
} AbutModeLayers;

/* The face lattice of the modes as a picture (.svg), or a page with it (.html); `complete`: the list has all modes. Has
 * no use for a scene. */
ABUT_API AbutStatus abut_picture_mode_lattice(
    const char *path, const AbutPageModeList *modes, int complete, AbutModeLayers *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
