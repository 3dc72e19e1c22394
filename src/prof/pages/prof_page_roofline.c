/* SPDX-License-Identifier: Apache-2.0 */
/* The roofline on pages: a table of the roofs, a sentence, a chart in characters and one as SVG, and JSON.
 *
 * Charts have logarithmic axes: intensity (FLOP a byte) to the right, FLOP a second upwards. A way to memory
 * is a rising line that ends at the peak of the unit that the launch uses most; the launch stands in it once
 * for each way, at the intensity of that way and the height that it reaches. Limits: points outside the axes
 * stand at their edges; launches without floating-point operations have no chart. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

#include <math.h>
#include <string.h>

static enum prof_label label_of(enum prof_roof_id roof)
{
    if (roof < PROF_ROOF_MEMORY) return PROF_PTX;
    return roof == PROF_ROOF_L1 ? PROF_EXACT : PROF_MODELLED;
}

/* Ways to memory always, of the units those that have work and the one of the chart. */
static bool is_shown(const struct prof_roofline *r, enum prof_roof_id roof)
{
    return roof >= PROF_ROOF_MEMORY || roof == r->compute || r->roofs[roof].work > 0;
}

static struct report_value share_of(double part, double whole, struct arena *arena)
{
    if (whole <= 0) return report_none();
    return report_text(arena_printf(arena, "%.*f %%", part < 0.1 * whole ? 1 : 0, 100 * part / whole));
}

static void roof_row(struct report_table *table, const struct prof_roofline *r, enum prof_roof_id roof,
                     struct arena *arena)
{
    bool memory = roof >= PROF_ROOF_MEMORY;
    const struct prof_roof *it = &r->roofs[roof];
    double most = prof_roofline_at_most(r, roof);
    char mark[2] = {prof_label_mark(label_of(roof)), 0};
    report_cell(table, report_text(prof_roof_name(roof)));
    report_cell(table, it->peak > 0 ? report_text(prof_human_si(it->peak, memory ? "B/s" : "FLOP/s", arena))
                                    : report_none());
    report_cell(table, report_text(prof_human_si(it->work, memory ? "B" : "FLOP", arena)));
    report_cell(table, report_text(arena_strdup(arena, mark)));
    report_cell(table, memory && it->work > 0
                           ? report_text(arena_printf(arena, "%.3g", prof_roofline_intensity(r, roof)))
                           : report_none());
    report_cell(table, most > 0 ? report_text(prof_human_si(most, "FLOP/s", arena)) : report_none());
    report_cell(table, it->peak > 0 ? share_of(prof_roof_seconds(it), r->seconds, arena) : report_none());
}

void prof_roofline_table(const struct prof_group *group, prof_table_writer write, struct str *out)
{
    static const char *const NAMES[] = {N_("Ceiling"),   N_("Peak"),        N_("Work"),          "",
                                        N_("FLOP/byte"), N_("Attainable~"), N_("Share of time~")};
    struct report_table table = {0};
    struct prof_roofline r;
    struct arena arena;
    if (!prof_group_roofline(group, &r)) return;
    arena_init(&arena);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, *NAMES[i] ? _(NAMES[i]) : "", "");
    for (int i = 0; i < PROF_ROOF_COUNT; i++)
        if (is_shown(&r, (enum prof_roof_id)i)) roof_row(&table, &r, (enum prof_roof_id)i, &arena);
    write(&table, out);
    report_table_release(&table);
    arena_release(&arena);
}

enum { FAR_PERCENT = 50 };

/* What the roof asks for, or that it is too far away to matter. */
static const char *advice_of(const struct prof_roofline *r, double of_roof, struct arena *arena)
{
    if (of_roof < FAR_PERCENT)
        return arena_printf(arena,
                            _("The launch is far below its ceilings: it is limited by %s (see above)."),
                            prof_limit_name(r->limit));
    return r->binds < PROF_ROOF_MEMORY
               ? _("The arithmetic intensity is high enough: to go faster, use fewer or cheaper operations.")
               : _("Moving fewer bytes for the same operations would raise this ceiling.");
}

const char *prof_roofline_verdict(const struct prof_roofline *r, struct arena *arena)
{
    const char *binds = prof_roof_name(r->binds);
    double of_roof = 100 * prof_roof_seconds(&r->roofs[r->binds]) / r->seconds;
    double ghz = (double)r->clock_khz / 1e6;
    if (r->flop <= 0)
        return arena_printf(arena,
                            _("No floating-point operations. The nearest ceiling is that of %s: the launch "
                              "reaches %.0f %% of it (clock %.2f GHz)."),
                            binds, of_roof, ghz);
    const char *reached = prof_human_si(r->flop / r->seconds, "FLOP/s", arena);
    const char *most = prof_human_si(prof_roofline_at_most(r, r->binds), "FLOP/s", arena);
    const char *advice = advice_of(r, of_roof, arena);
    if (r->binds < PROF_ROOF_MEMORY)
        return arena_printf(arena,
                            _("%s: %.0f %% of the nearest ceiling, %s (%s at a clock of %.2f GHz). %s"),
                            reached, of_roof, binds, most, ghz, advice);
    return arena_printf(arena,
                        _("%s: %.0f %% of what the nearest ceiling, %s, allows at %.3g FLOP/byte (%s at a "
                          "clock of %.2f GHz). %s"),
                        reached, of_roof, binds, prof_roofline_intensity(r, r->binds), most, ghz, advice);
}

/* ---- charts */

enum { DECADES_X = 6, DECADES_Y = 6 };
struct axes { /* powers of ten at the edges */
    double left, top;
};

static struct axes axes_of(const struct prof_roofline *r)
{
    struct axes a = {.left = -2, .top = ceil(log10(r->roofs[r->compute].peak) + 0.05)};
    for (int i = PROF_ROOF_MEMORY; i < PROF_ROOF_COUNT; i++) {
        double at = prof_roofline_intensity(r, (enum prof_roof_id)i);
        while (at > 0 && a.left > -6 && log10(at) < a.left)
            a.left--;
    }
    return a;
}

/* 0 where there is no number: a ceiling of nothing. */
static double part_of_axis(double part)
{
    return part > 0 ? part < 1 ? part : 1 : 0;
}

/* Of the height of a chart, from above, 0 to 1. */
static double roofline_height(const struct axes *a, double flop_per_second)
{
    return part_of_axis((a->top - log10(flop_per_second)) / DECADES_Y);
}

static double axis_position(const struct axes *a, double intensity)
{
    return part_of_axis((log10(intensity) - a->left) / DECADES_X);
}

static bool is_drawn(const struct prof_roofline *r, int roof)
{
    return r->roofs[roof].peak > 0 && r->roofs[roof].work > 0;
}

enum { COLUMNS = 60, ROWS = 12 };

static void draw_roof(const struct prof_roofline *r, const struct axes *a, int roof, char sign,
                      char chart[ROWS + 1][COLUMNS + 2])
{
    double top = r->roofs[r->compute].peak;
    for (int column = 0; column <= COLUMNS; column++) {
        double intensity = pow(10, a->left + (double)DECADES_X * column / COLUMNS);
        double here = intensity * r->roofs[roof].peak;
        int row = (int)(roofline_height(a, here < top ? here : top) * ROWS + 0.5);
        if (here >= top) chart[row][column] = '-';
        if (here < top && row < ROWS && (column % 2 == 0 || sign == '/')) chart[row][column] = sign;
    }
}

static void roofline_draw(const struct prof_roofline *r, const struct axes *a,
                          char chart[ROWS + 1][COLUMNS + 2])
{
    static const char SIGNS[] = ".:/", POINTS[] = "12D";
    memset(chart, ' ', (ROWS + 1) * (COLUMNS + 2));
    for (int i = PROF_ROOF_MEMORY; i < PROF_ROOF_COUNT; i++)
        if (is_drawn(r, i)) draw_roof(r, a, i, SIGNS[i - PROF_ROOF_MEMORY], chart);
    int row = (int)(roofline_height(a, r->flop / r->seconds) * ROWS + 0.5);
    for (int i = PROF_ROOF_MEMORY; i < PROF_ROOF_COUNT; i++)
        if (is_drawn(r, i))
            chart[row]
                 [(int)(axis_position(a, prof_roofline_intensity(r, (enum prof_roof_id)i)) * COLUMNS + 0.5)] =
                     POINTS[i - PROF_ROOF_MEMORY];
}

void prof_roofline_chart(const struct prof_roofline *r, struct str *out)
{
    char chart[ROWS + 1][COLUMNS + 2];
    struct arena arena;
    if (r->flop <= 0) return;
    arena_init(&arena);
    struct axes a = axes_of(r);
    roofline_draw(r, &a, chart);
    for (int row = 0; row <= ROWS; row++) {
        int length = COLUMNS + 1;
        while (length && chart[row][length - 1] == ' ')
            length--;
        const char *label =
            row * DECADES_Y % ROWS ? "" : prof_human_si(pow(10, a.top - row * DECADES_Y / ROWS), "", &arena);
        str_printf(out, "  %6s %c%.*s\n", label, *label ? '+' : '|', length, chart[row]);
    }
    str_add(out, "         ");
    for (int d = 0; d <= DECADES_X; d++)
        str_printf(out, d < DECADES_X ? "%-10g" : "%g", pow(10, a.left + d));
    str_printf(out,
               _("  FLOP/byte\n  Performance (FLOP/s) over arithmetic intensity (FLOP/byte). The launch: D "
                 "DRAM, 2 L2, 1 L1.\n  Ceilings: / DRAM, : L2, . L1, - %s.\n\n"),
               prof_roof_name(r->compute));
    arena_release(&arena);
}

enum { SVG_WIDTH = 560, SVG_HEIGHT = 300, SVG_LEFT = 60, SVG_TOP = 14, SVG_BOTTOM = 40, SVG_RIGHT = 100 };

static double svg_x(double share)
{
    return SVG_LEFT + share * (SVG_WIDTH - SVG_LEFT - SVG_RIGHT);
}

static double svg_y(double share)
{
    return SVG_TOP + share * (SVG_HEIGHT - SVG_TOP - SVG_BOTTOM);
}

static void svg_axes(const struct axes *a, struct arena *arena, struct str *out)
{
    for (int d = 0; d <= DECADES_Y; d++) {
        double y = svg_y((double)d / DECADES_Y);
        str_printf(out,
                   "<path class=grid d=\"M%.1f %.1fH%.1f\"/><text x=%d y=%.1f text-anchor=end>%s</text>\n",
                   svg_x(0), y, svg_x(1), SVG_LEFT - 6, y + 4, prof_human_si(pow(10, a->top - d), "", arena));
    }
    for (int d = 0; d <= DECADES_X; d++) {
        double x = svg_x((double)d / DECADES_X);
        str_printf(out,
                   "<path class=grid d=\"M%.1f %.1fV%.1f\"/><text x=%.1f y=%d text-anchor=middle>%g</text>\n",
                   x, svg_y(0), svg_y(1), x, SVG_HEIGHT - SVG_BOTTOM + 16, pow(10, a->left + d));
    }
    str_printf(out, "<text x=%.1f y=%d text-anchor=middle>%s</text>\n", svg_x(0.5), SVG_HEIGHT - 6,
               _("Arithmetic intensity (FLOP/byte); vertical axis: performance (FLOP/s)"));
}

/* From the left edge, or the lower one, to the peak of the unit and along it. */
static void svg_roof(const struct prof_roofline *r, const struct axes *a, int roof, struct str *out)
{
    double top = r->roofs[r->compute].peak, bandwidth = r->roofs[roof].peak;
    double from = pow(10, a->left), lowest = pow(10, a->top - DECADES_Y) / bandwidth, ridge = top / bandwidth;
    if (from < lowest) from = lowest;
    if (ridge < from) from = ridge;
    str_printf(out, "<path class=\"roof r%d\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n", roof - PROF_ROOF_MEMORY,
               svg_x(axis_position(a, from)), svg_y(roofline_height(a, from * bandwidth)),
               svg_x(axis_position(a, ridge)), svg_y(roofline_height(a, top)), svg_x(1));
}

void prof_roofline_svg(const struct prof_roofline *r, struct str *out)
{
    struct arena arena;
    if (r->flop <= 0) return;
    arena_init(&arena);
    struct axes a = axes_of(r);
    double y = svg_y(roofline_height(&a, r->flop / r->seconds));
    str_printf(out, "<svg class=roofline width=%d height=%d role=img aria-label=roofline>\n", SVG_WIDTH,
               SVG_HEIGHT);
    svg_axes(&a, &arena, out);
    for (int i = PROF_ROOF_MEMORY; i < PROF_ROOF_COUNT; i++)
        if (is_drawn(r, i)) svg_roof(r, &a, i, out);
    str_printf(out, "<text x=%.1f y=%.1f>%s</text>\n", svg_x(1) + 6,
               svg_y(roofline_height(&a, r->roofs[r->compute].peak)) + 4, prof_roof_name(r->compute));
    for (int i = PROF_ROOF_MEMORY; i < PROF_ROOF_COUNT; i++) {
        enum prof_roof_id roof = (enum prof_roof_id)i;
        if (!is_drawn(r, i)) continue;
        double x = svg_x(axis_position(&a, prof_roofline_intensity(r, roof)));
        str_printf(out, "<circle class=\"point r%d\" cx=%.1f cy=%.1f r=5><title>", i - PROF_ROOF_MEMORY, x,
                   y);
        str_printf(out, _("%s: %.3g FLOP/byte, %s of at most %s"), prof_roof_name(roof),
                   prof_roofline_intensity(r, roof), prof_human_si(r->flop / r->seconds, "FLOP/s", &arena),
                   prof_human_si(prof_roofline_at_most(r, roof), "FLOP/s", &arena));
        str_printf(out, "</title></circle><text x=%.1f y=%.1f text-anchor=middle>%s</text>\n", x, y - 9,
                   prof_roof_name(roof));
    }
    str_add(out, "</svg>\n");
    arena_release(&arena);
}

/* ---- JSON */

static void real(const char *name, double value, bool last, struct str *out)
{
    str_printf(out, "\"%s\": ", name);
    report_json_value(report_real(value), out);
    if (!last) str_add(out, ", ");
}

static void roof_json(const struct prof_roofline *r, enum prof_roof_id roof, struct str *out)
{
    const struct prof_roof *it = &r->roofs[roof];
    bool memory = roof >= PROF_ROOF_MEMORY;
    str_printf(out, "{\"roof\": \"%s\", \"unit\": \"%s\", \"label\": \"%s\", ", prof_roof_name(roof),
               memory ? "byte" : "flop", prof_label_name(label_of(roof)));
    if (it->peak > 0) real("peak_per_second", it->peak, false, out);
    if (memory && it->work > 0) real("intensity", prof_roofline_intensity(r, roof), false, out);
    if (it->peak > 0) real("time_share", prof_roof_seconds(it) / r->seconds, false, out);
    real("work", it->work, true, out);
    str_add(out, "}");
}

void prof_roofline_json(const struct prof_roofline *r, struct str *out)
{
    str_printf(out, "\"roofline\": {\"binds\": \"%s\", ", prof_roof_name(r->binds));
    real("time_ns", 1e9 * r->seconds, false, out);
    real("clock_hz", 1000.0 * (double)r->clock_khz, false, out);
    real("flop_per_second", r->flop / r->seconds, false, out);
    str_add(out, "\"roofs\": [");
    bool first = true;
    for (int i = 0; i < PROF_ROOF_COUNT; i++) {
        if (!is_shown(r, (enum prof_roof_id)i)) continue;
        str_add(out, first ? "\n      " : ",\n      ");
        roof_json(r, (enum prof_roof_id)i, out);
        first = false;
    }
    str_add(out, "]}");
}
