/* SPDX-License-Identifier: Apache-2.0 */
/*
 * picture: what people look at. Rendered images and films, plots as SVG, and pages: one HTML file that shows a result
 * in a browser, without network or server.
 */
#ifndef ABUT_PICTURE_H
#define ABUT_PICTURE_H

#include "abut/file.h"

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
ABUT_API AbutStatus abut_gif_begin(
    const char *path, int width, int height, int delay_ms, AbutGif **out, AbutError *error);
ABUT_API AbutStatus abut_gif_add(AbutGif *gif, const AbutImage *image, AbutError *error);
ABUT_API AbutStatus abut_gif_end(AbutGif *gif, AbutError *error); /* finishes the file and frees */
ABUT_API void abut_gif_cancel(AbutGif *gif);                      /* leaves no file */

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

/* Eye and target that show all meshes, as near as that allows. */
ABUT_API void abut_render_aim(const AbutRenderItem *items, int item_count, AbutRenderDef *def);

/* Draws without a graphics card: depth buffer, one sun with shadows on the ground, four samples a pixel. */
ABUT_API AbutStatus abut_render(const AbutRenderItem *items, int item_count, const AbutRenderArrow *arrows,
    int arrow_count, const AbutRenderDef *def, AbutImage *out, AbutError *error);

/* The bodies of a logged run as meshes, for pictures of its steps. */
typedef struct AbutRunView AbutRunView;

/* The log must outlive the view. */
ABUT_API AbutStatus abut_run_view_create(const AbutRunLogData *log, AbutRunView **out, AbutError *error);
ABUT_API void abut_run_view_free(AbutRunView *view);

/* A camera that shows all moving bodies of step `step`; the other fields of *def are left alone. */
ABUT_API void abut_run_view_aim(const AbutRunView *view, int step, AbutRenderDef *def);

/* Draws step `step`; `forces` adds an arrow for the force on the second body of each contact. */
ABUT_API AbutStatus abut_run_view_draw(
    const AbutRunView *view, int step, int forces, const AbutRenderDef *def, AbutImage *out, AbutError *error);

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
    const char *title, *x_label, *y_label;
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
 * A page is one HTML file that shows a result in a browser, without network or server; docs/panels.md tells what is in
 * it. Names and texts are shown as they are, never read as markup. All vectors are in world axes unless said otherwise.
 */

/* 1 when the page template is part of this build; else the writers fail with ABUT_ERROR_UNSUPPORTED. */
ABUT_API int abut_page_available(void);

typedef struct AbutPageShape {
    const AbutMesh *mesh; /* in the shape frame; NULL: the half-space z <= 0 */
    AbutPose pose;        /* in the body frame */
    uint32_t color;       /* 0xrrggbb; 0: chosen by the number of the body */
} AbutPageShape;

typedef struct AbutPageBody {
    const char *name;
    AbutBodyKind kind;
    double mass; /* 0: not told */
    const AbutPageShape *shapes;
    int32_t shape_count;
} AbutPageBody;

/* One number per frame. Series of one group share a chart; its title is the name of the group. */
typedef struct AbutPageSeries {
    const char *group, *name, *unit;
    const double *values;
} AbutPageSeries;

/*
 * Bodies over time, with contacts and series. Arrays are as in AbutRunLogData; those marked * may be NULL. Contact
 * forces act on the second body. When the page would pass size_limit, contacts and then frames are kept of every 2nd,
 * 4th, ... frame.
 */
typedef struct AbutPageRun {
    const char *title, *subtitle; /* * */
    AbutVec3 gravity;
    const AbutPageBody *bodies; /* [body_count]; NULL: scene_json has them */
    const char *scene_json;     /* * as in a run log */
    int32_t body_count, frame_count;
    const double *times;                           /* [frames], not falling */
    const double *poses;                           /* [frames, bodies, 7]: position, quaternion w first */
    const double *velocities;                      /* * [frames, bodies, 6]: of the centre of mass, angular */
    const int32_t *asleep, *islands;               /* * [frames, bodies] */
    const int64_t *contact_start;                  /* * [frames + 1]; NULL: no contacts, and none of the arrays below */
    const int32_t *contact_body, *contact_sliding; /* [contacts, 2], [contacts] */
    const double *contact_force, *contact_torque, *contact_center, *contact_normal; /* [contacts, 3] */
    const double *contact_area, *contact_volume, *contact_depth;                    /* [contacts] */
    const int64_t *vertex_start;                                                    /* [contacts + 1] */
    const double *vertex_point, *vertex_force, *vertex_pressure; /* [vertices, 3], [vertices, 3], [vertices] */
    const int32_t *vertex_sliding;                               /* * [vertices]; NULL: as their contact */
    const AbutPageSeries *series;
    int32_t series_count;
    size_t size_limit; /* bytes; 0: 3,000,000 */
} AbutPageRun;

ABUT_API AbutStatus abut_page_write_run(const char *path, const AbutPageRun *run, AbutError *error);

/* The same from a log, with charts of energy, depth, residual, sweeps and time per stage. title and subtitle may be
 * NULL. */
ABUT_API AbutStatus abut_page_write_run_log(
    const char *path, const AbutRunLogData *log, const char *title, const char *subtitle, AbutError *error);

/* Two bodies at rest, where they stand, and what was found between them. `note` tells the method; NULL: nothing. */
typedef struct AbutPagePair {
    const char *title, *subtitle, *note;
    AbutPageBody bodies[2];
    AbutPose poses[2];
} AbutPagePair;

ABUT_API AbutStatus abut_page_write_distance(const char *path, const AbutPagePair *pair, double distance,
    AbutVec3 point_a, AbutVec3 point_b, AbutVec3 normal, AbutError *error);

/* `overlap` in world coordinates; NULL: none, and then only the volume 0 is told. */
typedef struct AbutPageOverlap {
    const AbutMesh *overlap;
    double volume, area;
    AbutVec3 centroid, normal;
} AbutPageOverlap;

ABUT_API AbutStatus abut_page_write_overlap(
    const char *path, const AbutPagePair *pair, const AbutPageOverlap *overlap, AbutError *error);

/* Contact modes; texts as from abut_mode_text. A twist is the velocity of the body's origin and its angular velocity.
 */
typedef struct AbutPageModes {
    const char *title, *subtitle, *note;
    const AbutPageBody *bodies;
    const AbutPose *poses;
    int32_t body_count;
    const AbutPointContact *contacts; /* body numbers into `bodies`, or -1; normal from A to B */
    int32_t contact_count, lines, mode_count;
    const char *const *texts; /* [modes] */
    const int32_t *ranks;     /* [modes] */
    const int8_t *feasible;   /* * [modes]: 1 some forces go with it, 0 none; NULL: not asked */
    const double *twists;     /* [modes, bodies, 6] */
} AbutPageModes;

ABUT_API AbutStatus abut_page_write_modes(const char *path, const AbutPageModes *modes, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
