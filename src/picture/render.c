/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of bodies without a graphics card.
 *
 * In: triangle meshes with poses, half-spaces as ground, arrows. Out: an image. Method: the ground is met by a ray
 * through each sample (a grid of 0.1 m fades into the distance); triangles are filled against a depth buffer with flat
 * shading under one sun and a soft sky; each triangle is thrown along the sun onto the ground as a shadow. Four samples
 * a pixel, averaged at the end.
 */
#include "abut/picture.h"

#include <string.h>

enum { SAMPLES = 2 }; /* along each side of a pixel */

typedef struct Canvas {
    int w, h;       /* in samples */
    float *depth;   /* 1 / distance along the view: larger is nearer */
    uint8_t *shade; /* 1: the ground here lies in a shadow */
    uint8_t *rgb;
    AbutVec3 eye, right, up, ahead;
    double focal; /* in samples */
    AbutVec3 sun;
} Canvas;

static const double NEAR_PLANE = 1e-3;

AbutRenderDef abut_render_default(void) {
    AbutRenderDef def = {1280, 720, {0, 0, 0}, {0, 0, 0}, 0.6, 0xf2f4f7};
    return def;
}

/* ---- camera ------------------------------------------------------------------------------------------------------ */

/* Calls for every vertex, world coordinates. */
static void each_vertex(const AbutRenderItem *items, int count, void (*call)(AbutVec3 p, void *user), void *user) {
    for (int i = 0; i < count; ++i)
        for (int32_t v = 0; items[i].mesh && v < items[i].mesh->vertex_count; ++v)
            call(abut_pose_apply(items[i].pose, items[i].mesh->vertices[v]), user);
}

/* Looking for a place to look from: axes of the camera, extent along them, and how far back every vertex pushes. */
typedef struct Fit {
    AbutVec3 right, up, back, target;
    AbutAabb box;
    double tx, ty, distance;
} Fit;

static void fit_extent(AbutVec3 p, void *user) {
    Fit *f = user;
    f->box = abut_aabb_add(f->box, abut_vec3(abut_dot(p, f->right), abut_dot(p, f->up), abut_dot(p, f->back)));
}

static void fit_distance(AbutVec3 p, void *user) {
    Fit *f = user;
    AbutVec3 r = abut_sub(p, f->target);
    double side = abut_larger(fabs(abut_dot(r, f->right)) / f->tx, fabs(abut_dot(r, f->up)) / f->ty);
    f->distance = abut_larger(f->distance, side + abut_dot(r, f->back));
}

/* From the front, above and to the right. */
void abut_render_aim(const AbutRenderList *list, AbutRenderDef *def) {
    ABUT_ASSERT(list && def && (list->items || list->item_count == 0));
    const AbutRenderItem *items = list->items;
    int count = list->item_count;
    Fit f;
    f.back = abut_normalize(abut_vec3(0.75, -1.0, 0.55));
    f.right = abut_normalize(abut_cross(abut_axis(2), f.back));
    f.up = abut_cross(f.back, f.right);
    f.box = abut_aabb_empty();
    f.ty = tan(0.5 * def->view_angle);
    f.tx = f.ty * def->width / def->height;
    f.distance = 1e-3;
    each_vertex(items, count, fit_extent, &f);
    AbutVec3 middle = f.box.min.x <= f.box.max.x ? abut_scale(abut_add(f.box.min, f.box.max), 0.5) : abut_zero();
    f.target =
        abut_add(abut_add(abut_scale(f.right, middle.x), abut_scale(f.up, middle.y)), abut_scale(f.back, middle.z));
    if (f.box.min.x <= f.box.max.x)
        each_vertex(items, count, fit_distance, &f);
    else
        f.distance = 3.0; /* ground alone */
    def->target = f.target;
    def->eye = abut_add_scaled(f.target, f.back, 1.08 * f.distance);
}

static void aim(Canvas *c, const AbutRenderDef *def) {
    c->eye = def->eye;
    c->ahead = abut_normalize_or(abut_sub(def->target, def->eye), abut_axis(1));
    AbutVec3 sky = fabs(c->ahead.z) < 0.999 ? abut_axis(2) : abut_axis(1);
    c->right = abut_normalize(abut_cross(c->ahead, sky));
    c->up = abut_cross(c->right, c->ahead);
    c->focal = 0.5 * c->h / tan(0.5 * def->view_angle);
    c->sun = abut_normalize(abut_vec3(0.6, -0.15, 0.8));
}

/* Camera coordinates: right, up, ahead. */
static AbutVec3 to_camera(const Canvas *c, AbutVec3 p) {
    AbutVec3 r = abut_sub(p, c->eye);
    return abut_vec3(abut_dot(r, c->right), abut_dot(r, c->up), abut_dot(r, c->ahead));
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

typedef struct Brush {
    uint8_t rgb[3];
    int shadow; /* mark the shade buffer instead of painting */
} Brush;

static double clamp(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

/* Fills a triangle given in camera coordinates, all of it ahead of the near plane. */
static void fill(Canvas *c, const AbutVec3 p[3], const Brush *brush) {
    double x[3], y[3], q[3];
    for (int i = 0; i < 3; ++i) {
        q[i] = 1.0 / p[i].z;
        x[i] = 0.5 * c->w + c->focal * p[i].x * q[i];
        y[i] = 0.5 * c->h - c->focal * p[i].y * q[i];
    }
    double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (!(fabs(area) > 1e-12)) return;
    int x0 = (int)floor(clamp(fmin(x[0], fmin(x[1], x[2])), 0, c->w - 1)),
        x1 = (int)ceil(clamp(fmax(x[0], fmax(x[1], x[2])), 0, c->w - 1));
    int y0 = (int)floor(clamp(fmin(y[0], fmin(y[1], y[2])), 0, c->h - 1)),
        y1 = (int)ceil(clamp(fmax(y[0], fmax(y[1], y[2])), 0, c->h - 1));
    for (int py = y0; py <= y1; ++py)
        for (int px = x0; px <= x1; ++px) {
            double sx = px + 0.5, sy = py + 0.5;
            double a = ((x[1] - sx) * (y[2] - sy) - (x[2] - sx) * (y[1] - sy)) / area;
            double b = ((x[2] - sx) * (y[0] - sy) - (x[0] - sx) * (y[2] - sy)) / area, e = 1.0 - a - b;
            if (a < 0.0 || b < 0.0 || e < 0.0) continue;
            size_t at = (size_t)py * (size_t)c->w + (size_t)px;
            float depth = (float)(a * q[0] + b * q[1] + e * q[2]);
            if (brush->shadow) {
                if (depth >= c->depth[at] * 0.9999f) c->shade[at] = 1;
            } else if (depth > c->depth[at]) {
                c->depth[at] = depth;
                memcpy(c->rgb + 3 * at, brush->rgb, 3);
            }
        }
}

/* Cuts a triangle at the near plane and fills what is ahead of it. */
static void draw_triangle(Canvas *c, const AbutVec3 world[3], const Brush *brush) {
    AbutVec3 p[3], out[4];
    int n = 0;
    for (int i = 0; i < 3; ++i) p[i] = to_camera(c, world[i]);
    for (int i = 0; i < 3; ++i) {
        AbutVec3 a = p[i], b = p[(i + 1) % 3];
        if (a.z > NEAR_PLANE) out[n++] = a;
        if ((a.z > NEAR_PLANE) != (b.z > NEAR_PLANE)) out[n++] = abut_lerp(a, b, (NEAR_PLANE - a.z) / (b.z - a.z));
    }
    for (int i = 2; i < n; ++i) {
        AbutVec3 t[3] = {out[0], out[i - 1], out[i]};
        fill(c, t, brush);
    }
}

static Brush lit(const Canvas *c, uint32_t color, AbutVec3 normal) {
    double sun = abut_larger(0.0, abut_dot(normal, c->sun)), sky = 0.5 + 0.5 * normal.z,
           light = 0.28 + 0.22 * sky + 0.55 * sun;
    Brush brush = {{0, 0, 0}, 0};
    for (int k = 0; k < 3; ++k) brush.rgb[k] = (uint8_t)clamp((double)(color >> (16 - 8 * k) & 255) * light, 0, 255);
    return brush;
}

/* ---- ground ------------------------------------------------------------------------------------------------------ */

/* How much of a line of the grid a sample sees: 1 on it, 0 off it; `width` is that of a sample on the ground. */
static double grid_line(double x, double pitch, double width) {
    double t = x / pitch, off = fabs(t - floor(t + 0.5)) * pitch;
    return clamp((width - off) / width + 0.5, 0.0, 1.0);
}

/* Color of the ground at a point: light, with lines every 0.1 m and every meter, fading away. */
static void ground_color(AbutVec3 local, double distance, double focal, uint32_t background, uint8_t rgb[3]) {
    double width = abut_larger(0.001, 1.2 * distance / focal), fine = 0.10 * clamp((0.02 - width) / 0.015, 0.0, 1.0),
           bold = 0.20 * clamp((0.2 - width) / 0.15, 0.0, 1.0);
    double line = abut_larger(fine * abut_larger(grid_line(local.x, 0.1, width), grid_line(local.y, 0.1, width)),
        bold * abut_larger(grid_line(local.x, 1.0, width), grid_line(local.y, 1.0, width)));
    double fade = clamp(distance / (60.0 + distance), 0.0, 1.0);
    for (int k = 0; k < 3; ++k) {
        double far = (double)(background >> (16 - 8 * k) & 255), here = 222.0 * (1.0 - line);
        rgb[k] = (uint8_t)(here + (far - here) * fade);
    }
}

static void draw_ground(Canvas *c, const AbutRenderItem *ground, uint32_t background) {
    for (int py = 0; py < c->h; ++py)
        for (int px = 0; px < c->w; ++px) {
            AbutVec3 ray = abut_add(c->ahead, abut_add(abut_scale(c->right, (px + 0.5 - 0.5 * c->w) / c->focal),
                                                  abut_scale(c->up, (0.5 * c->h - py - 0.5) / c->focal)));
            AbutVec3 o = abut_pose_apply_inv(ground->pose, c->eye), d = abut_quat_rotate_inv(ground->pose.q, ray);
            double t = -o.z / d.z;
            size_t at = (size_t)py * (size_t)c->w + (size_t)px;
            if (!(t > NEAR_PLANE) || !(d.z < 0.0) || (float)(1.0 / t) <= c->depth[at]) continue;
            c->depth[at] = (float)(1.0 / t);
            ground_color(abut_add_scaled(o, d, t), t, c->focal, background, c->rgb + 3 * at);
        }
}

/* Throws the triangles of all meshes along the sun onto the ground and darkens what they hit. */
static void draw_shadows(Canvas *c, const AbutRenderItem *items, int count, const AbutRenderItem *ground) {
    AbutVec3 up = abut_quat_rotate(ground->pose.q, abut_axis(2));
    double along = abut_dot(up, c->sun);
    Brush brush = {{0, 0, 0}, 1};
    if (!(along > 0.05)) return;
    memset(c->shade, 0, (size_t)c->w * (size_t)c->h);
    for (int i = 0; i < count; ++i)
        for (int32_t t = 0; items[i].mesh && t < items[i].mesh->triangle_count; ++t) {
            AbutVec3 p[3];
            int above = 0;
            for (int k = 0; k < 3; ++k) {
                p[k] = abut_pose_apply(items[i].pose, items[i].mesh->vertices[items[i].mesh->triangles[t].v[k]]);
                double height = abut_dot(up, abut_sub(p[k], ground->pose.p));
                above += height > 0.0;
                p[k] = abut_add_scaled(p[k], c->sun, -height / along);
            }
            if (above) draw_triangle(c, p, &brush);
        }
    for (size_t at = 0; at < (size_t)c->w * (size_t)c->h; ++at)
        for (int k = 0; c->shade[at] && k < 3; ++k)
            c->rgb[3 * at + (size_t)k] = (uint8_t)(c->rgb[3 * at + (size_t)k] * 0.72);
}

/* ---- bodies and arrows ------------------------------------------------------------------------------------------- */

static void draw_mesh(Canvas *c, const AbutRenderItem *item) {
    for (int32_t t = 0; t < item->mesh->triangle_count; ++t) {
        AbutVec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = abut_pose_apply(item->pose, item->mesh->vertices[item->mesh->triangles[t].v[k]]);
        AbutVec3 n = abut_normalize(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])));
        if (abut_dot(n, abut_sub(c->eye, p[0])) < 0.0) n = abut_neg(n); /* open meshes show their backs */
        Brush brush = lit(c, item->color, n);
        draw_triangle(c, p, &brush);
    }
}

/* A shaft of three sides and a head of three, always lit. */
static void draw_arrow(Canvas *c, const AbutRenderArrow *arrow) {
    AbutVec3 d = abut_sub(arrow->to, arrow->from), e = abut_perpendicular(abut_normalize_or(d, abut_axis(2)));
    AbutVec3 f = abut_cross(abut_normalize_or(d, abut_axis(2)), e);
    double length = abut_length(d), thick = 0.025 * length, head = 0.07 * length;
    AbutVec3 neck = abut_add_scaled(arrow->from, d, 0.8), ring[2][3];
    for (int k = 0; k < 3; ++k) {
        AbutVec3 out =
            abut_add(abut_scale(e, cos(2.0 * ABUT_PI * k / 3.0)), abut_scale(f, sin(2.0 * ABUT_PI * k / 3.0)));
        ring[0][k] = abut_scale(out, thick);
        ring[1][k] = abut_scale(out, head);
    }
    for (int k = 0; k < 3; ++k) {
        int j = (k + 1) % 3;
        AbutVec3 low0 = abut_add(arrow->from, ring[0][k]), low1 = abut_add(arrow->from, ring[0][j]);
        AbutVec3 high0 = abut_add(neck, ring[0][k]), high1 = abut_add(neck, ring[0][j]);
        AbutVec3 t[3][3] = {{low0, low1, high1}, {low0, high1, high0},
            {abut_add(neck, ring[1][k]), abut_add(neck, ring[1][j]), arrow->to}};
        for (int i = 0; i < 3; ++i) {
            AbutVec3 n = abut_normalize(abut_cross(abut_sub(t[i][1], t[i][0]), abut_sub(t[i][2], t[i][0])));
            Brush brush = lit(c, arrow->color, abut_dot(n, abut_sub(c->eye, t[i][0])) < 0.0 ? abut_neg(n) : n);
            draw_triangle(c, t[i], &brush);
        }
    }
}

static void average(const Canvas *c, AbutImage *image) {
    for (int32_t y = 0; y < image->height; ++y)
        for (int32_t x = 0; x < image->width; ++x)
            for (int k = 0; k < 3; ++k) {
                int sum = 0;
                for (int s = 0; s < SAMPLES * SAMPLES; ++s) {
                    size_t at =
                        (size_t)(y * SAMPLES + s / SAMPLES) * (size_t)c->w + (size_t)(x * SAMPLES + s % SAMPLES);
                    sum += c->rgb[3 * at + (size_t)k];
                }
                image->rgb[3 * ((size_t)y * (size_t)image->width + (size_t)x) + (size_t)k] =
                    (uint8_t)(sum / (SAMPLES * SAMPLES));
            }
}

static void clear_canvas(Canvas *c, uint32_t background) {
    size_t samples = (size_t)c->w * (size_t)c->h;
    memset(c->depth, 0, samples * sizeof *c->depth);
    for (size_t i = 0; i < samples; ++i)
        for (int k = 0; k < 3; ++k) c->rgb[3 * i + (size_t)k] = (uint8_t)(background >> (16 - 8 * k));
}

static void draw_list(Canvas *c, const AbutRenderList *list, uint32_t background) {
    const AbutRenderItem *items = list->items;
    for (int32_t i = 0; i < list->item_count; ++i)
        if (!items[i].mesh) {
            draw_ground(c, &items[i], background);
            draw_shadows(c, items, list->item_count, &items[i]);
        }
    for (int32_t i = 0; i < list->item_count; ++i)
        if (items[i].mesh) draw_mesh(c, &items[i]);
    memset(c->depth, 0, (size_t)c->w * (size_t)c->h * sizeof *c->depth); /* arrows show through bodies */
    for (int32_t i = 0; i < list->arrow_count; ++i) draw_arrow(c, &list->arrows[i]);
}

AbutStatus abut_render(const AbutRenderList *list, const AbutRenderDef *def, AbutImage *out, AbutError *error) {
    ABUT_ASSERT(
        list && def && out && (list->items || list->item_count == 0) && (list->arrows || list->arrow_count == 0));
    AbutRenderDef view = *def;
    ABUT_TRY(abut_image_create(view.width, view.height, out, error));
    Canvas c;
    memset(&c, 0, sizeof c);
    c.w = view.width * SAMPLES, c.h = view.height * SAMPLES;
    size_t samples = (size_t)c.w * (size_t)c.h;
    c.depth = abut_alloc_array(samples, sizeof *c.depth);
    c.shade = abut_alloc(samples);
    c.rgb = abut_alloc_array(samples, 3);
    AbutStatus status = ABUT_OK;
    if (c.depth && c.shade && c.rgb) {
        if (abut_point_distance(view.eye, view.target) == 0.0) abut_render_aim(list, &view);
        clear_canvas(&c, view.background);
        aim(&c, &view);
        draw_list(&c, list, view.background);
        average(&c, out);
    } else {
        abut_image_free(out);
        status = abut_fail_memory(error);
    }
    abut_free(c.depth);
    abut_free(c.shade);
    abut_free(c.rgb);
    return status;
}
