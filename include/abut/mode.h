/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mode: every way in which a set of contacts can move. A velocity x of the system gives contact i a separation velocity
 * N_i x (zero: contacting, positive: separating, negative: not allowed) and, across each of its `lines` dividing lines,
 * a tangential velocity T_ik x. A mode is a pattern of signs that some velocity attains: {0,+} for every normal row and
 * {-,0,+} for every tangent row of the contacts that stay in contact.
 *
 * The input is plain arrays, no scene: rows given directly, or contacts and bodies from which rows are built. A mode
 * (AbutMode) is two bit sets over the rows.
 *
 * Units and scale do not matter: rows and columns are rescaled before anything is decided.
 */
#ifndef ABUT_MODE_H
#define ABUT_MODE_H

#include "abut/contact.h"
#include "abut/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More distinct rows than this (after merging parallel rows) are refused. */
#define ABUT_MODE_ROWS 256
/* More contacts, degrees of freedom or dividing lines than this are refused. */
#define ABUT_MODE_SIZE 4096
/* Work of an enumeration that sets no budget. */
#define ABUT_MODE_BUDGET UINT64_C(20000000000)

/* ---- the system: contacts and bodies to rows --------------------------------------------------------------------- */

typedef enum AbutModeBodyKind {
    ABUT_MODE_BODY_FIXED = 0,
    ABUT_MODE_BODY_FREE,    /* 6 columns: velocity of `position`, angular velocity, both along world axes */
    ABUT_MODE_BODY_PLANAR,  /* 3 columns: vx, vy of `position`, angular velocity about z */
    ABUT_MODE_BODY_JACOBIAN /* `jacobian` maps the velocities to the twist (v, w) in the body frame */
} AbutModeBodyKind;

typedef struct AbutModeBody {
    AbutModeBodyKind kind;
    int first_dof;          /* FREE and PLANAR: where its columns start */
    AbutVec3 position;      /* world position of the body frame */
    AbutMat3 rotation;      /* JACOBIAN: world orientation of the body frame */
    const double *jacobian; /* JACOBIAN: 6 x dof, row-major */
} AbutModeBody;

/*
 * Input of the rows. Zeroed: no contacts, no bodies, no dividing lines, not planar.
 * - Line k of a contact has the direction cos(k pi / lines) x + sin(k pi / lines) y in its tangent plane.
 * - `planar` takes contacts in the plane z = 0: one line per contact, whatever `lines` is, along z x normal unless
 *   tangent_x is given.
 * - `literal` is for contacts whose numbers are exact in all digits: relations between them (a joint axis shared by two
 * links, points in one plane) must hold in the numbers themselves, not only up to rounding. The system then has
 * `low_rows`, and enumeration and queries decide with twice the digits of a double, in about twice the time.
 */
typedef struct AbutModeSystemDef {
    int contact_count, body_count;
    const AbutPointContact *contacts; /* bodies are indices of `bodies`, or -1: fixed */
    const AbutModeBody *bodies;
    int dof;   /* number of velocities */
    int lines; /* number that divides the tangent plane of each contact */
    int planar, literal;
} AbutModeSystemDef;

typedef struct AbutModeSystem {
    int contacts, dof, lines;   /* lines: dividing lines of the tangent plane per contact (n_t), may be 0 */
    const double *normal_rows;  /* contacts x dof */
    const double *tangent_rows; /* (contacts * lines) x dof */
    void *memory;               /* set if the library owns the rows; release with abut_mode_system_free */
    const double *low_rows; /* NULL, or for more digits: a correction to every entry, normal rows, then tangent rows */
    const AbutModeSystemDef
        *def;         /* a copy of the input of the rows; NULL: rows given directly. Owned in the same way */
    double tolerance; /* relative error of the rows, such as contacts found in a scene; 0: right up to rounding.
                         Enumeration and queries about one mode take smaller values for zero */
} AbutModeSystem;

/* Builds the rows of the velocity of B relative to A; release with abut_mode_system_free. */
ABUT_API AbutStatus abut_mode_system_build(const AbutModeSystemDef *def, AbutModeSystem *out, AbutError *error);
ABUT_API void abut_mode_system_free(AbutModeSystem *system);

/* These contacts with another number of lines, from a system with two whose tangents are at right angles. */
ABUT_API AbutStatus abut_mode_system_set_lines(
    const AbutModeSystem *from, int lines, AbutModeSystem *out, AbutError *error);

/*
 * The system in fewer velocities: x = basis y, `basis` with dof rows of `count` numbers. This keeps rows that must
 * vanish, such as those of loops and coupled joints. Bodies of the system get Jacobians. Release with
 * abut_mode_system_free.
 */
ABUT_API AbutStatus abut_mode_system_restrict(
    const AbutModeSystem *from, const double *basis, int count, AbutModeSystem *out, AbutError *error);

/* ---- a mode ------------------------------------------------------------------------------------------------------ */

/*
 * One mode: the rows that are positive and those that are negative, as two sets of bits of abut_mode_words words each.
 * Bit i is the normal row of contact i, bit contacts + i * lines + k is line k of contact i; nonlinear modes have one
 * bit per contact in place of the lines, set when it slides. The bits of separating contacts' lines are clear. The
 * struct only points to the bits: functions that take a mode read them, those that return one write them.
 */
typedef struct AbutMode {
    uint64_t *plus, *minus;
} AbutMode;

/* Words in each of the two bit sets of a mode. */
ABUT_API int abut_mode_words(const AbutModeSystem *system, int nonlinear);

/* ---- enumeration ------------------------------------------------------------------------------------------------- */

enum {
    ABUT_MODES_FULL = 0, /* contacting / separating and sliding / sticking */
    ABUT_MODES_CS,       /* contacting / separating only */
    ABUT_MODES_OF_CS     /* the modes of one contacting / separating pattern, `cs` in the options */
};

struct AbutModeRun;

typedef enum AbutModeArithmetic {
    /* double-double if `low_rows` is not zero, else exact integers if the rows are small rationals, else double */
    ABUT_MODE_AUTO = 0,
    ABUT_MODE_DOUBLE,       /* ignores `low_rows` */
    ABUT_MODE_EXACT,        /* refused with ABUT_ERROR_UNSUPPORTED if the rows are not small rationals */
    ABUT_MODE_DOUBLE_DOUBLE /* sums of two doubles, about 32 digits; refused the same way without `low_rows` */
} AbutModeArithmetic;

typedef struct AbutModeOptions {
    int32_t kind; /* ABUT_MODES_FULL, ... */
    AbutModeArithmetic arithmetic;
    /* NULL: depth-first double description; counting sums over flats. Else a method from another library, for
     * comparison */
    AbutStatus (*method)(struct AbutModeRun *run, AbutError *error);
    const int8_t *cs;           /* OF_CS: one entry per contact, 0 contacting, else separating */
    int nonlinear;              /* tangential part is only sticking (0) or sliding (+): one bit per contact */
    double tolerance;           /* relative; 0: that of the system, else 1e-9, in double-double 1e-17 */
    uint64_t limit;             /* stop after this many modes; 0: none */
    uint64_t budget;            /* stop after so much work on cones, about one for each number made or set compared; 0:
                                   ABUT_MODE_BUDGET. Equal in every run; each independent group of contacts has its own */
    int threads;                /* 0: all processors */
    int count_by_search;        /* count by walking the modes even if the sum over flats suffices */
    const volatile int *cancel; /* not NULL and non-zero: stop soon */
    /* Called for every mode, in an order that does not depend on `threads`, on the calling thread. The bits are valid
     * during the call and must not be changed. Non-zero stops. NULL: count only. */
    int (*visit)(AbutMode mode, void *user);
    void *user;
} AbutModeOptions;

typedef struct AbutModeResult {
    uint64_t cs_modes, modes; /* as far as the enumeration went; cs_modes counts patterns with at least one mode */
    int complete;             /* 0 if a limit, the budget, the visitor, or `cancel` ended it */
    int out_of_budget;        /* the budget ended it */
    int saturated;            /* the number of modes does not fit 64 bits */
    int exact;                /* decided in exact integers */
    int unique_rows;          /* rows left after merging parallel ones */
    double tolerance;         /* the tolerance used; 0 if exact */
    double largest_zero;      /* largest relative value taken for zero */
    double smallest_nonzero;  /* smallest taken for non-zero; above 1e-4 (double-double: 1e-8) not tracked, then 1e-4 */
    int depends_on_tolerance; /* no clear gap: less than a factor 10 lies between the two */
    int double_double;        /* decided in double-double numbers */
} AbutModeResult;

ABUT_API extern const AbutRecord abut_mode_result_record;

/* All zero except for one thread. */
ABUT_API AbutModeOptions abut_mode_options_default(void);

/* `options` may be NULL: the default. */
ABUT_API AbutStatus abut_mode_enumerate(
    const AbutModeSystem *system, const AbutModeOptions *options, AbutModeResult *result, AbutError *error);

/* Collected modes: mode i has its `plus` at bits + 2 * words * i, followed by its `minus`. Zeroed: empty. */
typedef struct AbutModeList {
    int words;
    size_t count, capacity;
    uint64_t *bits;
} AbutModeList;

/* Enumerates into a list; options->visit is ignored. ABUT_ERROR_MEMORY leaves the modes found so far. */
ABUT_API AbutStatus abut_mode_collect(const AbutModeSystem *system, const AbutModeOptions *options, AbutModeList *list,
    AbutModeResult *result, AbutError *error);
ABUT_API void abut_mode_list_free(AbutModeList *list);

/* Mode i of a list, i < list->count; its bits belong to the list. */
ABUT_API AbutMode abut_mode_list_get(const AbutModeList *list, size_t i);

/* ---- one mode as text -------------------------------------------------------------------------------------------- */

/*
 * Signs as text: one of 0 + per contact, then one of - 0 + per line, or '.' where the contact separates. Writes at
 * most `size` bytes with the final zero; returns the length of the whole text.
 */
ABUT_API size_t abut_mode_text(const AbutModeSystem *system, int nonlinear, AbutMode mode, char *text, size_t size);

/*
 * Reads such a text back; its first `contacts` characters are enough. A nonlinear mode has one of 0 + . per contact
 * after the contacts; its `minus` is empty.
 */
ABUT_API AbutStatus abut_mode_parse(
    const AbutModeSystem *system, int nonlinear, const char *text, AbutMode out, AbutError *error);

/* ---- one mode and its velocities --------------------------------------------------------------------------------- */

/*
 * The mode of a velocity. Row values below `tolerance` (0: that of the system, else 1e-9), relative to row
 * and velocity (units do not matter), count as zero. A velocity that moves a contact into itself has none:
 * ABUT_ERROR_EMPTY names the first such contact.
 */
ABUT_API AbutStatus abut_mode_of_velocity(
    const AbutModeSystem *system, const double *velocity, double tolerance, AbutMode out, AbutError *error);

/*
 * The velocity closest to `desired` (dof numbers) in the closed cone of a mode, in the norm sum of weight_j x_j^2
 * (NULL: all 1). `distance` (may be NULL) is that norm of the difference. In a nonlinear mode sliding contacts slide
 * any way, or stick.
 */
ABUT_API AbutStatus abut_mode_project(const AbutModeSystem *system, int nonlinear, AbutMode mode, const double *desired,
    const double *weight, double *velocity, double *distance, AbutError *error);

/*
 * A velocity inside the mode, its rows of largest entry 1 at least 1 away from zero; ABUT_ERROR_EMPTY: no such mode.
 * With `low_rows` ABUT_ERROR_DEGENERATE: no such mode, or one whose velocities doubles cannot distinguish from others.
 */
ABUT_API AbutStatus abut_mode_velocity(const AbutModeSystem *system, AbutMode mode, double *velocity, AbutError *error);

/* A random velocity inside the mode: a random one pulled onto the closed cone, plus a random part of an inner one. */
ABUT_API AbutStatus abut_mode_sample(
    const AbutModeSystem *system, AbutMode mode, AbutRng *rng, double *velocity, AbutError *error);

/* ---- how modes touch --------------------------------------------------------------------------------------------- */

/* Dimension of the set of velocities of a mode (any of the dof numbers), from the rows that are zero in it; -1: it
 * certainly has no velocity. Fails out of memory. */
ABUT_API AbutStatus abut_mode_dimension(const AbutModeSystem *system, AbutMode mode, int *out, AbutError *error);

/* Is every velocity of mode `a` a limit of velocities of mode `b`? True for equal modes. */
ABUT_API int abut_mode_is_face(const AbutModeSystem *system, AbutMode a, AbutMode b);

enum {
    ABUT_MODE_FACETS = -1, /* faces of one dimension less */
    ABUT_MODE_COFACES = 1  /* modes of one dimension more that have it as a face */
};

/* Neighbors of a mode without listing all modes. `visit` and `count` may be NULL. */
ABUT_API AbutStatus abut_mode_neighbors(const AbutModeSystem *system, AbutMode mode, int side,
    int (*visit)(AbutMode mode, void *user), void *user, uint64_t *count, AbutError *error);

/* All edges of the Hasse diagram of a list (at most 20000 modes): mode `a` is a facet of mode `b`; release *edges with
 * abut_free. */
ABUT_API AbutStatus abut_mode_hasse(
    const AbutModeSystem *system, const AbutModeList *list, size_t *count, AbutPair **edges, AbutError *error);

/*
 * Conservative merge, in place: drops every mode that is a face of another mode of the list with the same separating
 * and the same sticking contacts, such as sliding exactly along a ray between two sectors. The closed cones of the
 * remaining modes cover all velocities of the list. The order of the list is kept.
 */
ABUT_API AbutStatus abut_mode_merge(const AbutModeSystem *system, AbutModeList *list, AbutError *error);

/* ---- along a motion ---------------------------------------------------------------------------------------------- */

typedef struct AbutModeTrack {
    int contacts, dof, lines;
    double begin, end;
    int samples;           /* number of equal steps at which the mode is computed; changes between them are bisected */
    double tolerance;      /* of abut_mode_of_velocity */
    double time_tolerance; /* 0 means 1e-9 of the whole time */
    /* Fills the rows and the velocity (dof) at a time. The rows are those of a system of fixed sizes. */
    AbutStatus (*motion)(double time, double *normal_rows, double *tangent_rows, double *velocity, void *user);
    /* From `time` on the motion has this mode; `allowed` is 0 if it drives a contact into itself. Non-zero stops. */
    int (*event)(double time, int allowed, AbutMode mode, void *user);
    void *user;
} AbutModeTrack;

/* Reports the mode at the beginning and at every change. Modes that last less than the time tolerance may be missed. */
ABUT_API AbutStatus abut_mode_track(const AbutModeTrack *track, AbutError *error);

/* ---- forces ------------------------------------------------------------------------------------------------------ */

/*
 * Forces on the system. Contact forces follow Coulomb's law with the tangent plane cut as the lines cut it: a
 * sticking contact pushes within the pyramid of friction, a sliding one against its direction of sliding (anywhere
 * between the two rays that bound its sector), a separating one not at all. Lines must be those of
 * abut_mode_system_build; with one line the contact is planar.
 */
typedef struct AbutModeForces {
    const double *force;    /* dof: generalized force (gravity, pushes) */
    const double *mass;     /* dof x dof, symmetric positive definite; NULL: quasi-static, forces must balance */
    const double *velocity; /* dof: before the step; NULL: at rest */
    double step;            /* dynamic: seconds; 0 means 1 */
    const double *friction; /* one per contact, or NULL: `default_friction` for all */
    double default_friction;
    /* Bounds of normal forces, one per contact; NULL: 0, and none. Contacts that separate have neither. */
    const double *least, *most;
    const double *motion; /* dof: sliding contacts push exactly against this velocity; NULL: within their sector */
    /* A velocity that a motor sets, as fingers that are driven: its column plus one; 0: none. Modes are those in which
     * it is positive, and its row need not balance, as the motor pushes as hard as it must. Quasi-static only. */
    int32_t driven1;
} AbutModeForces;

typedef struct AbutModeForceResult {
    int feasible;
    double residual; /* what stays unbalanced, relative to the forces that act; tiny when feasible */
    double margin;   /* dynamic: how far inside the mode the new velocity can be, relative to its size; 0: no sliding or
                        separating row */
} AbutModeForceResult;

ABUT_API extern const AbutRecord abut_mode_force_result_record;

/*
 * Can the contacts produce forces that fit the mode? Quasi-static: they balance `force`. Dynamic: they turn the
 * velocity before the step into one of the mode. `velocity` (dof, may be NULL) gets such a velocity, `contact_force`
 * (contacts * 3, may be NULL) the forces: normal, along the first line, and at right angles to it in the tangent plane.
 */
ABUT_API AbutStatus abut_mode_force_feasible(const AbutModeSystem *system, AbutMode mode, const AbutModeForces *forces,
    AbutModeForceResult *result, double *velocity, double *contact_force, AbutError *error);

/*
 * The largest disturbance that is held: forces of the mode balance every generalized force d added to `force` for which
 * the sum of |d_j| / scale_j (NULL: all 1) is at most *margin. 0: not even the force alone, or no more than it;
 * infinite: every disturbance, as nothing bounds the forces. Quasi-static.
 */
ABUT_API AbutStatus abut_mode_margin(const AbutModeSystem *system, AbutMode mode, const AbutModeForces *forces,
    const double *scale, double *margin, AbutError *error);

/* All modes whose forces are feasible: every possible future, where a simulator picks one. options->visit gets them. */
ABUT_API AbutStatus abut_mode_consistent(const AbutModeSystem *system, const AbutModeForces *forces,
    const AbutModeOptions *options, AbutModeResult *result, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
