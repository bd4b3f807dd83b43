/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line plots as SVG. In: series of points, labels, ranges. Out: one file that needs no script and no font of its own.
 *
 * An axis maps a value (or its decimal logarithm) to pixels. Ticks are at multiples of 1, 2 or 5 times a power of ten,
 * on a logarithmic axis at powers of ten (and 2 and 5 times them when there are few). Long series are thinned: of the
 * points that fall into one half pixel of x only the first, the lowest, the highest and the last are drawn, which looks
 * the same. Numbers are written without regard to the locale.
 */
#include <string.h>

#include "abut/picture.h"
#include "abut/file.h"

enum { LEFT = 84, RIGHT = 24, TOP = 64, BOTTOM = 56, TICKS = 40 };

static const double NOWHERE = -1e4; /* as a logarithm */

typedef struct Axis {
    double low, high; /* of the value, or of its logarithm */
    double from, to;  /* pixels */
    int log;
    double tick[TICKS]; /* values */
    int tick_count;
} Axis;

static const uint32_t palette[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x404040};

AbutPlot abut_plot_default(void) {
    AbutPlot plot = {"", "", "", 0, 0, 0.0, 0.0, 0.0, 0.0, 760, 440, NULL, 0};
    return plot;
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

/* The value on the axis; false when it has no place there. Values that are not positive lie below a logarithmic axis.
 */
static int on_axis(const Axis *a, double value, double *out) {
    if (!isfinite(value)) return 0;
    *out = !a->log ? fmax(-1e300, fmin(1e300, value)) : value > 0.0 ? log10(value) : NOWHERE;
    return 1;
}

static double pixel(const Axis *a, double place) {
    double p = a->from + (place - a->low) / (a->high - a->low) * (a->to - a->from);
    return fmax(-1e4, fmin(1e4, p)); /* far outside is clipped anyway */
}

static double power10(int n) {
    double p = 1.0;
    for (int i = n < 0 ? -n : n; i > 0; --i) p *= 10.0;
    return p;
}

/* count * 10^exponent with one rounding, so that it prints short. */
static double decimal(double count, int exponent) {
    return exponent < 0 ? count / power10(exponent) : count * power10(exponent);
}

static void add_tick(Axis *a, double value) {
    if (a->tick_count < TICKS) a->tick[a->tick_count++] = value;
}

static void linear_ticks(Axis *a, int wanted) {
    double rough = (a->high - a->low) / wanted;
    int exponent = (int)floor(log10(rough)), unit = 1;
    double lead = rough / decimal(1.0, exponent);
    unit = lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10;
    double step = decimal(unit, exponent), first = ceil(a->low / step - 1e-9);
    for (double k = first; k * step <= a->high + 1e-9 * step && a->tick_count < TICKS; k += 1.0) {
        add_tick(a, decimal(k * unit, exponent) + 0.0); /* no -0 */
        if (k + 1.0 == k) break;
    }
}

static void log_ticks(Axis *a) {
    static const double within[] = {1.0, 2.0, 5.0};
    int first = (int)floor(a->low), last = (int)ceil(a->high), every = (last - first) / 10 + 1;
    int parts = last - first <= 2 ? 3 : 1;
    for (int e = first; e <= last; e += every)
        for (int i = 0; i < parts; ++i) {
            double place = e + log10(within[i]);
            if (place >= a->low - 1e-9 && place <= a->high + 1e-9) add_tick(a, decimal(within[i], e));
        }
}

/* Range from the data, a little wider, or as given. */
static void range_of(Axis *a, const AbutPlot *plot, int is_y, double given_low, double given_high) {
    double low = INFINITY, high = -INFINITY, place;
    int room = is_y; /* dots should not lie on the frame, and lines not on its top and bottom */
    for (int s = 0; s < plot->series_count; ++s) {
        const double *v = is_y ? plot->series[s].y : plot->series[s].x;
        room |= plot->series[s].markers;
        for (int i = 0; i < plot->series[s].count; ++i)
            if (on_axis(a, v[i], &place) && place != NOWHERE) {
                low = fmin(low, place);
                high = fmax(high, place);
            }
    }
    if (!(low <= high)) {
        low = 0.0;
        high = 1.0;
    }
    double wider = room ? 0.04 * (high - low) : 0.0;
    double least = 1e-9 * fmax(1e-280, fmax(fabs(low), fabs(high)));
    if (!(high - low > least)) wider = low == 0.0 ? 1.0 : 0.1 * fabs(low);
    a->high = high + wider;
    a->low = low >= 0.0 && low - wider < 0.0 && !a->log && high - low > least ? 0.0 : low - wider;
    if (given_low < given_high && on_axis(a, given_low, &low) && on_axis(a, given_high, &high) && low != NOWHERE) {
        a->low = low;
        a->high = high;
    }
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void put_number(FILE *file, double value) {
    char text[ABUT_DOUBLE_TEXT];
    abut_format_double(text, sizeof text, round(100.0 * value) / 100.0);
    fputs(text, file);
}

static void put_text(FILE *file, const char *text) {
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '<' || c == '>' || c == '&')
            fputs(c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;", file);
        else
            fputc(c < 32 ? ' ' : c, file);
    }
}

/* One line of text, unless NULL; `more` are attributes such as the anchor. */
static void put_label(FILE *file, double x, double y, const char *more, const char *text) {
    if (!text) return;
    fputs("<text x=\"", file);
    put_number(file, x);
    fputs("\" y=\"", file);
    put_number(file, y);
    fprintf(file, "\" %s>", more);
    put_text(file, text);
    fputs("</text>\n", file);
}

static void put_line(FILE *file, double x1, double y1, double x2, double y2, const char *style) {
    const double value[4] = {x1, y1, x2, y2};
    static const char *const name[4] = {"x1", "y1", "x2", "y2"};
    fputs("<line", file);
    for (int i = 0; i < 4; ++i) {
        fprintf(file, " %s=\"", name[i]);
        put_number(file, value[i]);
        fputc('"', file);
    }
    fprintf(file, " %s/>\n", style);
}

static void put_axes(FILE *file, const AbutPlot *plot, const Axis *x, const Axis *y) {
    char text[ABUT_DOUBLE_TEXT];
    double place;
    for (int i = 0; i < x->tick_count; ++i)
        if (on_axis(x, x->tick[i], &place)) {
            double at = pixel(x, place);
            put_line(file, at, y->from, at, y->to, "stroke=\"#e4e4e4\"");
            put_line(file, at, y->from, at, y->from + 5, "stroke=\"#333\"");
            abut_format_double(text, sizeof text, x->tick[i]);
            put_label(file, at, y->from + 20, "text-anchor=\"middle\"", text);
        }
    for (int i = 0; i < y->tick_count; ++i)
        if (on_axis(y, y->tick[i], &place)) {
            double at = pixel(y, place);
            put_line(file, x->from, at, x->to, at, "stroke=\"#e4e4e4\"");
            put_line(file, x->from - 5, at, x->from, at, "stroke=\"#333\"");
            abut_format_double(text, sizeof text, y->tick[i]);
            put_label(file, x->from - 9, at + 4, "text-anchor=\"end\"", text);
        }
    put_label(file, 0.5 * (x->from + x->to), plot->height - 12, "text-anchor=\"middle\"", plot->x_label);
    fputs("<g transform=\"translate(18 ", file);
    put_number(file, 0.5 * (y->from + y->to));
    fputs(") rotate(-90)\">", file);
    put_label(file, 0, 0, "text-anchor=\"middle\"", plot->y_label);
    fputs("</g>\n", file);
    put_label(file, x->from, 22, "font-size=\"16\" font-weight=\"bold\"", plot->title);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

static uint32_t color_of(const AbutPlot *plot, int s) {
    uint32_t own = plot->series[s].color & 0xffffff;
    return own ? own : palette[s % (int)(sizeof palette / sizeof palette[0])];
}

typedef struct Pen {
    FILE *file;
    int down; /* points of the line so far, 2 and more being alike */
} Pen;

/* A line begins with a dot, so that a single point is seen. */
static void draw_to(Pen *pen, double x, double y) {
    fputs(pen->down == 0 ? "M" : pen->down == 1 ? "L" : " ", pen->file);
    put_number(pen->file, x);
    fputc(' ', pen->file);
    put_number(pen->file, y);
    if (pen->down == 0) fputs("h0", pen->file);
    pen->down += pen->down < 2;
}

/* Points of one half pixel column. */
typedef struct Bundle {
    double column, x[4], y[4]; /* first, lowest, highest, last */
    int order[4], count;       /* when each came */
} Bundle;

static void flush_bundle(Bundle *b, Pen *pen) {
    int last = -1;
    for (int turn = 0; turn < 4 && b->count; ++turn) {
        int next = -1;
        for (int k = 0; k < 4; ++k)
            if (b->order[k] > last && (next < 0 || b->order[k] < b->order[next])) next = k;
        if (next < 0) break;
        draw_to(pen, b->x[next], b->y[next]);
        last = b->order[next];
    }
    b->count = 0;
}

static void keep(Bundle *b, int k, double x, double y) {
    b->x[k] = x;
    b->y[k] = y;
    b->order[k] = b->count;
}

static void add_to_bundle(Bundle *b, Pen *pen, double x, double y) {
    double column = floor(2.0 * x);
    if (b->count && column != b->column) flush_bundle(b, pen);
    b->column = column;
    if (!b->count) keep(b, 0, x, y);
    if (!b->count || y < b->y[1]) keep(b, 1, x, y);
    if (!b->count || y > b->y[2]) keep(b, 2, x, y);
    keep(b, 3, x, y);
    ++b->count;
}

static void put_dots(FILE *file, const AbutPlotSeries *series, const Axis *ax, const Axis *ay, uint32_t color) {
    double px, py;
    for (int i = 0; i < series->count; ++i)
        if (on_axis(ax, series->x[i], &px) && on_axis(ay, series->y[i], &py)) {
            fputs("<circle cx=\"", file);
            put_number(file, pixel(ax, px));
            fputs("\" cy=\"", file);
            put_number(file, pixel(ay, py));
            fprintf(file, "\" r=\"3.5\" fill=\"#%06x\"/>\n", (unsigned)color);
        }
}

static void put_series(FILE *file, const AbutPlot *plot, int s, const Axis *ax, const Axis *ay) {
    const AbutPlotSeries *series = &plot->series[s];
    Pen pen = {file, 0};
    Bundle bundle = {.count = 0};
    double px, py;
    fprintf(file,
        "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\" "
        "d=\"",
        (unsigned)color_of(plot, s));
    for (int i = 0; i < series->count; ++i) {
        if (on_axis(ax, series->x[i], &px) && on_axis(ay, series->y[i], &py)) {
            add_to_bundle(&bundle, &pen, pixel(ax, px), pixel(ay, py));
        } else {
            flush_bundle(&bundle, &pen);
            pen.down = 0;
        }
    }
    flush_bundle(&bundle, &pen);
    fputs("\"/>\n", file);
    if (series->markers) put_dots(file, series, ax, ay, color_of(plot, s));
}

/* Names side by side over the plot. A letter is taken as 7.5 pixels wide. */
static void put_legend(FILE *file, const AbutPlot *plot, const Axis *ax) {
    double x = ax->from;
    for (int s = 0; s < plot->series_count; ++s) {
        char style[80];
        snprintf(style, sizeof style, "stroke=\"#%06x\" stroke-width=\"3\"", (unsigned)color_of(plot, s));
        put_line(file, x, 42, x + 22, 42, style);
        put_label(file, x + 28, 46, "", plot->series[s].name);
        x += 28 + 7.5 * (double)strlen(plot->series[s].name) + 20;
    }
}

static void put_frame(FILE *file, const char *tag, const char *style, const Axis *x, const Axis *y) {
    const double value[4] = {x->from, y->to, x->to - x->from, y->from - y->to};
    static const char *const name[4] = {"x", "y", "width", "height"};
    fprintf(file, "<%s", tag);
    for (int i = 0; i < 4; ++i) {
        fprintf(file, " %s=\"", name[i]);
        put_number(file, value[i]);
        fputc('"', file);
    }
    fprintf(file, "%s/>", style);
}

static void put_plot(FILE *file, const AbutPlot *plot, const Axis *x, const Axis *y) {
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" "
        "font-size=\"13\" fill=\"#222\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<clipPath "
        "id=\"area\">",
        plot->width, plot->height, plot->width, plot->height);
    put_frame(file, "rect", "", x, y);
    fputs("</clipPath>\n", file);
    put_axes(file, plot, x, y);
    put_legend(file, plot, x);
    fputs("<g clip-path=\"url(#area)\">\n", file);
    for (int s = 0; s < plot->series_count; ++s) put_series(file, plot, s, x, y);
    fputs("</g>\n", file);
    put_frame(file, "rect", " fill=\"none\" stroke=\"#333\"", x, y);
    fputs("\n</svg>\n", file);
}

AbutStatus abut_plot_write_svg(const char *path, const AbutPlot *plot, AbutError *error) {
    ABUT_ASSERT(path && plot && (plot->series || plot->series_count == 0));
    if (plot->width < 200 || plot->width > 4000 || plot->height < 200 || plot->height > 4000)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%.300s: a plot has 200 to 4000 pixels a side, not %d x %d", path,
            plot->width, plot->height);
    Axis x = {.from = LEFT, .to = plot->width - RIGHT, .log = plot->log_x};
    Axis y = {.from = plot->height - BOTTOM, .to = TOP, .log = plot->log_y};
    range_of(&x, plot, 0, plot->x_min, plot->x_max);
    range_of(&y, plot, 1, plot->y_min, plot->y_max);
    if (x.log)
        log_ticks(&x);
    else
        linear_ticks(&x, (plot->width - LEFT - RIGHT) / 90 + 1);
    if (y.log)
        log_ticks(&y);
    else
        linear_ticks(&y, (plot->height - TOP - BOTTOM) / 60 + 1);
    AbutFileOut out;
    ABUT_TRY(abut_file_out_open(&out, path, error));
    put_plot(out.file, plot, &x, &y);
    return abut_file_out_commit(&out, error);
}
