/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lattice of modes as a picture. In: a system. Out: one SVG file, or a page with it (.html), a layer per dimension
 * with the largest on top, a line from each mode to those of one dimension less that are its faces, as Figs. 3 and 4 of
 * Huang, Cheng and Mason (2020). For many modes the signs are left out and the dots are small. Within a layer modes are
 * ordered by the mean place of their neighbors, in a few sweeps up and down.
 */
#include "abut/picture.h"
#include "file/mesh_formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 400, SWEEPS = 8, SIDE = 90, TOP = 70, LETTER = 6 };

typedef struct Node {
    int32_t rank;
    int feasible; /* -1: not asked */
    double place; /* in its layer, from the middle */
    double wish;  /* where its neighbors would have it */
    size_t mode;
} Node;

typedef struct Lattice {
    AbutModeSystem rows; /* without lines when only contacts are told apart; shares the memory of the system */
    const AbutModeList *list;
    Node *nodes;  /* per mode */
    Node **order; /* layer by layer, each from left to right */
    AbutPair *edges;
    size_t edge_count, edge_capacity;
    int low, high; /* dimensions */
    int complete;
} Lattice;

/* ---- nodes and edges --------------------------------------------------------------------------------------------- */

static AbutStatus judge(
    const Lattice *l, const AbutModeSystem *rows, const AbutModeForces *forces, Node *node, AbutError *error) {
    AbutModeForceResult result;
    node->feasible = -1;
    if (!forces) return ABUT_OK;
    AbutStatus status =
        abut_mode_force_feasible(rows, abut_mode_list_get(l->list, node->mode), forces, &result, NULL, NULL, error);
    node->feasible = status == ABUT_OK && result.feasible;
    return status;
}

static AbutStatus make_nodes(Lattice *l, const AbutModeSystem *rows, const AbutModeForces *forces, AbutError *error) {
    AbutStatus status = ABUT_OK;
    l->nodes = abut_alloc_array(l->list->count + 1, sizeof *l->nodes);
    l->order = abut_alloc_array(l->list->count + 1, sizeof *l->order);
    if (!l->nodes || !l->order) return abut_fail_memory(error);
    for (size_t i = 0; i < l->list->count && status == ABUT_OK; ++i) {
        Node *node = l->order[i] = &l->nodes[i];
        *node = (Node){.mode = i};
        (void)abut_mode_dimension(&l->rows, abut_mode_list_get(l->list, i), &node->rank, NULL);
        status = judge(l, rows, forces, node, error);
        l->low = i == 0 || node->rank < l->low ? node->rank : l->low;
        l->high = i == 0 || node->rank > l->high ? node->rank : l->high;
    }
    return status;
}

/* abut_mode_hasse with the ranks that are known. */
static AbutStatus make_edges(Lattice *l, AbutError *error) {
    for (size_t i = 0; i < l->list->count; ++i)
        for (size_t j = 0; j < l->list->count; ++j) {
            if (l->nodes[i].rank + 1 != l->nodes[j].rank ||
                !abut_mode_is_face(&l->rows, abut_mode_list_get(l->list, i), abut_mode_list_get(l->list, j)))
                continue;
            if (!abut_grow((void **)&l->edges, &l->edge_capacity, l->edge_count + 1, sizeof *l->edges))
                return abut_fail_memory(error);
            l->edges[l->edge_count++] = (AbutPair){(int32_t)i, (int32_t)j};
        }
    return ABUT_OK;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* By layer, then by wish, then as listed. */
static int compare(const void *a, const void *b) {
    const Node *p = *(const Node *const *)a, *q = *(const Node *const *)b;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    if (p->wish != q->wish) return p->wish < q->wish ? -1 : 1;
    return p->mode < q->mode ? -1 : p->mode > q->mode;
}

/* Sorts by the wishes and spaces each layer evenly around its middle. */
static void settle(Lattice *l) {
    size_t count = l->list->count, end;
    qsort(l->order, count, sizeof *l->order, compare);
    for (size_t first = 0; first < count; first = end) {
        for (end = first; end < count && l->order[end]->rank == l->order[first]->rank; ++end) continue;
        for (size_t i = first; i < end; ++i) l->order[i]->place = (double)(i - first) - 0.5 * (double)(end - first - 1);
    }
}

/* One layer takes the mean places of its neighbors on one side. */
static void wish(Lattice *l, int rank, int from_below) {
    for (size_t i = 0; i < l->list->count; ++i) {
        Node *node = &l->nodes[i];
        double sum = 0.0;
        int count = 0;
        for (size_t e = 0; node->rank == rank && e < l->edge_count; ++e) {
            AbutPair edge = l->edges[e];
            if ((size_t)(from_below ? edge.b : edge.a) == i)
                sum += l->nodes[from_below ? edge.a : edge.b].place, ++count;
        }
        node->wish = count ? sum / count : node->place;
    }
}

static void arrange(Lattice *l) {
    settle(l);
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
        for (int k = 1; k <= l->high - l->low; ++k) {
            int up = sweep % 2 == 0;
            wish(l, up ? l->low + k : l->high - k, up);
            settle(l);
        }
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

typedef struct Sheet {
    FILE *to;
    int width, height, between; /* between: from layer to layer */
    int named, step, radius;    /* signs are written; from dot to dot; of a dot */
} Sheet;

static int layer_size(const Lattice *l, int rank) {
    int size = 0;
    for (size_t i = 0; i < l->list->count; ++i) size += l->nodes[i].rank == rank;
    return size;
}

static Sheet measure(const Lattice *l, FILE *to) {
    Sheet s = {.to = to, .named = l->list->count <= MOST_NAMED};
    int widest = 0;
    s.step = s.named ? 18 : 7;
    s.radius = s.named ? 5 : 3;
    for (int rank = l->low; rank <= l->high; ++rank)
        widest = layer_size(l, rank) > widest ? layer_size(l, rank) : widest;
    s.width = widest * s.step + 2 * SIDE < 560 ? 560 : widest * s.step + 2 * SIDE;
    s.between = s.named ? 100 + LETTER * l->rows.contacts * (1 + l->rows.lines) : 160;
    s.height = TOP + (l->high - l->low + 1) * s.between;
    return s;
}

static int x_of(const Sheet *s, const Node *node) { return s->width / 2 + (int)floor(node->place * s->step + 0.5); }

static int y_of(const Sheet *s, const Lattice *l, int rank) { return TOP + (l->high - rank) * s->between; }

static void put_edges(const Sheet *s, const Lattice *l) {
    fprintf(s->to, "<g stroke=\"#8a94a0\" stroke-width=\"%s\">\n", s->named ? "0.7" : "0.15");
    for (size_t e = 0; e < l->edge_count; ++e) {
        const Node *face = &l->nodes[l->edges[e].a], *of = &l->nodes[l->edges[e].b];
        fprintf(s->to, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", x_of(s, face), y_of(s, l, face->rank),
            x_of(s, of), y_of(s, l, of->rank));
    }
    fputs("</g>\n", s->to);
}

/* A dot with its signs below it, from top to bottom. */
static void put_node(const Sheet *s, const Lattice *l, const Node *node, char *text) {
    int x = x_of(s, node), y = y_of(s, l, node->rank);
    const char *fill = node->feasible < 0 ? "#0072b2" : node->feasible ? "#009e73" : "#b8c0c8";
    abut_mode_text(&l->rows, 0, abut_mode_list_get(l->list, node->mode), text, SIZE_MAX);
    fprintf(s->to, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"><title>%s</title></circle>\n", x, y, s->radius,
        fill, text);
    if (s->named) fprintf(s->to, "<text transform=\"translate(%d %d) rotate(90)\">%s</text>\n", x - 3, y + 9, text);
}

static void put_nodes(const Sheet *s, const Lattice *l, char *text) {
    fputs("<g font-family=\"monospace\" font-size=\"10\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" "
          "fill=\"#222\">\n",
        s->to);
    for (size_t i = 0; i < l->list->count; ++i) put_node(s, l, l->order[i], text);
    fputs("</g>\n<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n", s->to);
    for (int rank = l->low; rank <= l->high; ++rank)
        fprintf(s->to, "<text x=\"10\" y=\"%d\">dim %d: %d</text>\n", y_of(s, l, rank) + 4, rank, layer_size(l, rank));
    fputs("</g>\n", s->to);
}

static void put_picture(const Lattice *l, FILE *to, char *text) {
    Sheet s = measure(l, to);
    fprintf(to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
        "<text x=\"10\" y=\"26\" font-family=\"sans-serif\" font-size=\"15\">%s%zu modes of %d contacts and %d "
        "velocities, %zu edges%s</text>\n",
        s.width, s.height, s.width, s.height, s.width, s.height, l->complete ? "" : "the first ", l->list->count,
        l->rows.contacts, l->rows.dof, l->edge_count,
        l->list->count && l->nodes[0].feasible >= 0 ? "; green: forces balance" : "");
    put_edges(&s, l);
    put_nodes(&s, l, text);
    fputs("</svg>\n", to);
}

/* Dots are named when the mouse is over them. */
static const char page_head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Contact modes</title>\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<style>body { margin: 0; } circle:hover { stroke: #d55e00; stroke-width: 4; }</style></head><body>\n";

static AbutStatus write_picture(const Lattice *l, const char *path, AbutError *error) {
    AbutFileOut out;
    char *text = abut_alloc((size_t)l->rows.contacts * (1 + (size_t)l->rows.lines) + 1);
    if (!text) return abut_fail_memory(error);
    AbutStatus status = abut_file_out_open(&out, path, error);
    int page = abut_mesh_has_ending(path, ".html");
    if (status == ABUT_OK) {
        fputs(page ? page_head : "", out.file);
        put_picture(l, out.file, text);
        fputs(page ? "</body></html>\n" : "", out.file);
        status = abut_file_out_commit(&out, error);
    }
    abut_free(text);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static AbutStatus summarize(const Lattice *l, AbutModeLayers *out, AbutError *error) {
    out->layers = abut_alloc_array((size_t)l->high + 1, sizeof *out->layers);
    if (!out->layers) return abut_fail_memory(error);
    out->layer_count = l->high + 1;
    out->edge_count = l->edge_count;
    for (int rank = 0; rank <= l->high; ++rank) out->layers[rank] = layer_size(l, rank);
    return ABUT_OK;
}

AbutStatus abut_picture_mode_lattice(
    const char *path, const AbutPageModeList *modes, int complete, AbutModeLayers *out, AbutError *error) {
    ABUT_ASSERT(path && modes && modes->rows && modes->list && out);
    Lattice l = {.rows = *modes->rows, .list = modes->list, .complete = complete};
    l.rows.lines = modes->contacts_only ? 0 : l.rows.lines;
    *out = (AbutModeLayers){0};
    AbutStatus status = make_nodes(&l, modes->rows, modes->forces, error);
    if (status == ABUT_OK) status = make_edges(&l, error);
    if (status == ABUT_OK) arrange(&l);
    if (status == ABUT_OK) status = write_picture(&l, path, error);
    if (status == ABUT_OK) status = summarize(&l, out, error);
    abut_free(l.nodes);
    abut_free(l.order);
    abut_free(l.edges);
    return status;
}
