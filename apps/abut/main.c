/* SPDX-License-Identifier: Apache-2.0 */
/* abut: the command-line tool. The table below is the list of sub-commands; each lives in a file of its own. */
#include "cli.h"
#include "abut/literature.h"

#include <string.h>

#include "progress.h"

/* clang-format off: a line of text to a line */
static const CliCommand commands[] = {
    {"info", cli_info, "FILE... [--hull] [--capsule] [--json]",
        "what a mesh is: counts, closedness, volume, inertia, bounds",
        "Reads OBJ, STL, PLY, TRI, GLB and DAE meshes, and takes bodies in words (cylinder:0.1,0.3; see 'abut help "
        "distance')\n"
        "with their exact numbers. One file gives a list of all numbers, several give a table with a row each.\n"
        "Volume, centroid and inertia are those of the solid of density 1 inside the surface, and mean something only\n"
        "when the mesh is closed and oriented; a warning says where it is not. The inertia is about the centroid:\n"
        "xx, yy, zz, xy, xz, yz.\n"},
    {"make", cli_make, "SHAPE [--triangles N] [--size A,B,..] [--heights FILE] -o FILE",
        "write a procedural mesh: torus, cup, knot, ...",
        "Makes a closed, outward oriented mesh with as near to N triangles as its grid allows. The ending of FILE "
        "chooses\n"
        "the format: .obj, .stl (binary) or .stla (ascii STL). 'abut make --list' names the shapes and their sizes.\n"
        "'abut make height-field --heights ground.png --size 5,5,1,0.2 -o ground.obj' makes the solid under the "
        "heights of\n"
        "a file: 10 by 10 m, from 0.2 m below 0 to 1 m above it.\n"},
    {"intersect", cli_intersect, "A B [--method ren|lp|gjk] [--pose-a POSE] [--pose-b POSE] [--convex] [--json]",
        "do two convex bodies meet: yes with a point, no with a plane",
        "A and B are files of convex meshes, with --convex the hulls of any, bodies in words as those of 'abut "
        "distance',\n"
        "or text files of half-spaces: 'a b c d' on a line means ax + by + cz <= d, # starts a comment. Of other "
        "meshes\n"
        "abut collide answers that. Touching counts as meeting. The answer carries its proof: a point of both bodies, "
        "or a plane between them (plane: nx, ny, nz,\n"
        "offset; A lies below, B above). 'tests' counts the regions that the recursion of ren searched, the steps of\n"
        "lp, or the queries of gjk. Exit status 0 when they meet, 1 when they do not, 3 when neither could be "
        "verified.\n"},
    {"distance", cli_distance,
        "A B [--pose-a POSE] [--pose-b POSE] [--convex] [--depth METHOD] [--direction METHOD] [--within D] [--path "
        "FILE] [--json]",
        "signed distance of two meshes or bodies: how far apart or how deep",
        "A and B are mesh files, or exact bodies in words, centred at the origin with their axis along z:\n"
        "  sphere:RADIUS  capsule:RADIUS,HALF  cylinder:RADIUS,HALF  cone:RADIUS,HALF (apex up)  box:X,Y,Z (half "
        "sizes)\n"
        "  ellipsoid:X,Y,Z (semi-axes, the shortest at least 1e-6 of the longest)\n"
        "  half-space:NX,NY,NZ,OFFSET  plane:NX,NY,NZ,OFFSET (a sheet, two-sided; refused\n"
        "  with meshes that are not convex)\n"
        "Of two convex bodies (in words, or meshes that are closed and equal to their hulls to 1e-9), and with "
        "--convex of\n"
        "the hulls of any, the distance is signed: negative in penetration, the least translation that ends the "
        "overlap.\n"
        "Other meshes have their exact distance apart; where they overlap, --depth says how the depth is found: sweep "
        "(the\n"
        "best of many exact sweeps; every answer is verified to be free and never below the truth, but not proved to "
        "be the\n"
        "least), classic (out and in projections, to compare), decomposition (the deepest pair of convex\n"
        "pieces, at most what it takes to part these) or none. --along asks for one direction alone. Of an open\n"
        "mesh the depth is a way on which the surfaces part for ever (kind surface).\n"
        "--direction soft adds a direction of parting that does not jump, for closed meshes: area vectors of both "
        "surfaces,\n"
        "weighted by how near they are to the other body within a smoothing length. 'vector' is the same before it is "
        "made a\n"
        "unit; 'soft' a distance with a continuous gradient; a confidence below 0.1 means undecided. euclid adds the "
        "normal,\n"
        "phong and phong-track the foot point of the Phong distance nearest to contact, or to the one before (Lee "
        "2017), which\n"
        "jumps and ends more often than not, and says so. kernel: of convex meshes the mean normal of their Minkowski\n"
        "difference near the origin.\n"
        "With --path there are columns ux,uy,uz and vx,vy,vz, and a last line with the largest turn between two poses "
        "and, of\n"
        "soft, the largest that is possible.\n"
        "The normal is a unit vector from A to B; point b - point a = distance * normal: moving B along the normal by "
        "minus\n"
        "the distance parts the bodies. Everything is in the world frame. 'iterations' counts support points, of "
        "meshes\n"
        "pairs of nodes or, in overlap, sweeps. --path asks for every pose of a file, starting from the answer "
        "before,\n"
        "and prints CSV; with --html also the curve of the distance. Animations (.ani) centre both meshes first, "
        "closed ones by volume, open ones by surface. Exit status 3\n"
        "when the search did not converge.\n"},
    {"collide", cli_collide, "A B [--all] [--limit N] [--pose-a POSE] [--pose-b POSE] [--path FILE] [--json]",
        "do two meshes meet, convex or not, and with which triangles",
        "Touching counts, and a mesh inside a closed one does too: a_in_b, b_in_a. Decided by exact arithmetic for "
        "the\n"
        "vertices of B as rounded into the frame of A. Triangles are numbered from 0 as in the files. What lies "
        "inside\n"
        "an open mesh is not known; a note says so. One of A and B may be a body in words, as sphere:0.1 (abut help\n"
        "distance), whose triangle is given as -1; planes are refused. --path asks for every pose of a file and prints "
        "CSV. Exit status 0 when\n"
        "they meet (with --path: at any pose), 1 when they do not.\n"},
    {"cast", cli_cast, "A --ray X,Y,Z,DX,DY,DZ | A B --way X,Y,Z | --scene SCENE ... [--all] [--json]",
        "where a ray, or a body moved along a straight way, first meets a body or a scene",
        "A and B are mesh files, convex or not, or bodies in words as for 'abut distance'. A ray goes from X,Y,Z to\n"
        "X,Y,Z + DX,DY,DZ; with --way the last body is moved so far without turning. With --scene a built-in scene or\n"
        "a file of one is met instead of A. t is the part of the way that was gone; until the first number of its\n"
        "bracket there is no contact, at the second there is. The normal points out of what was hit; the feature is\n"
        "the triangle of a mesh or the face of a polyhedron or box, -1 where there is none. A ray that begins inside "
        "a\n"
        "body or on its surface is at_start, at t 0 and without a normal, whichever way it goes. Exit status 0 for a\n"
        "hit, 1 for none, 3 when the ray only grazes or nothing was decided.\n"},
    {"toi", cli_toi, "A B [--motion-a FILE] [--motion-b FILE] [--from T] [--to T] [--tol D] [--json]",
        "when two moving meshes first touch",
        "A motion is a file of poses, t,x,y,z,qw,qx,qy,qz to a line, joined by straight lines and constant spins; a "
        "mesh\n"
        "without one stands at its pose. The answer is never late: until the first time of the bracket there is no\n"
        "contact, at the second there is. Everything is in the world frame. Exit status 0 for a hit, 1 for none, 3 "
        "when\n"
        "the meshes come nearer than --tol and no overlap was found, or nothing was decided. One of A and B may be a "
        "body\n"
        "in words, as sphere:0.1; planes are refused.\n"},
    {"clearance", cli_clearance, "A B [--motion-a FILE] [--motion-b FILE] [--eps D] [--minima K] [--json]",
        "how near two moving bodies come over a whole motion, with proof",
        "The answer is a bracket: at the reported time the bodies really are so close, and at no time of the interval "
        "are\n"
        "they nearer than the lower end. Meshes are surfaces, 0 apart where they meet; taken as their hulls with\n"
        "--convex, or as convex pieces with --pieces, they are solid, and the distance goes on below zero. A motion\n"
        "is CSV of poses or JSON with joints that follow polynomials or splines (docs/motions.md). --curve writes the\n"
        "distance over time, with what is proved about it between its points. Exit status 0 when the bodies are\n"
        "proved clear of each other, 1 when they touch or one is inside the other, 3 when --eps, --budget or "
        "--seconds\n"
        "leaves it open. With --distance soft it is the soft distance that is proved to be above 0, which is not the\n"
        "distance: with a large --tau bodies may overlap there.\n"},
    {"decompose", cli_decompose, "MESH [-o DIR] [--excess E] [--max N] [--html FILE] [--json]",
        "convex pieces that cover a mesh",
        "The box of the mesh is cut into cells, at the cell and the place where that takes off most; a piece is the\n"
        "convex hull of the solid within its cell. So the pieces cover the solid and do not overlap, and the excess, "
        "the\n"
        "volume that they have too much, is exact. Of an open mesh they cover the surface alone. Exit status 0 when "
        "the\n"
        "excess is as small as asked for, 1 when --max came first.\n"},
    {"minkowski", cli_minkowski,
        "A B -o FILE [--difference] [--grid N] [--convolution [--ball X,Y,Z,R]] [--pose-a POSE] [--pose-b POSE] "
        "[--json]",
        "the Minkowski sum or difference of two closed meshes, as a mesh",
        "The sum is the set of all a + b, the difference that of all a - b: the moves of B at which it meets A. Of "
        "convex\n"
        "meshes (with --convex: of the hulls) it is exact. Of others the nodes of a grid are asked whether the bodies "
        "meet,\n"
        "by exact collision, and the vertices are brought onto the boundary; the mesh is closed, what is thinner than "
        "a step of\n"
        "the grid may be missed, and slits narrower than a step are closed. Cavities, as of linked rings, are kept.\n"
        "--convolution writes the signed convolution instead, without any grid: a closed chain of facets that holds "
        "the\n"
        "boundary and sheets inside it, each facet as often as its multiplicity says, turned over where that is "
        "negative.\n"
        "Its winding number about a move of B is the Euler characteristic of what the bodies have in common there.\n"},
    {"volume", cli_volume, "A B [--pose-a POSE] [--pose-b POSE] [--convex] [--pieces] [-o FILE] [--json]",
        "the overlap of two convex bodies: volume, area, centroid, normal",
        "Meshes are convex, or with --convex taken as their hulls; bodies in words are those of 'abut distance'. The\n"
        "volume of round bodies lies between those of the polyhedra inside and around them, and both are given. The\n"
        "normal points from A to B: it is the sum of area times normal over\n"
        "the faces that A gives to the overlap, or, where these have no direction in sum (one body in the other), that "
        "of the face\n"
        "of least depth, and the answer says so. With -o the overlap is written as a mesh. Everything is in the world "
        "frame.\n"
        "Exit status 1 when there is no common volume, 3 when rounding left it undecided.\n"},
    {"simulate", cli_simulate, "SCENE [--time T] [--dt H] [--model M] [-o FILE] [--contacts FILE] [--json]",
        "a scene through time: contact forces, depth, energy",
        "SCENE is an MJCF file (.xml), a URDF file (.urdf), or a built-in scene or robot, as boxes:50 or biped; 'abut "
        "simulate\n"
        "--list' names them. The summary has steps, wall time per stage, contacts, worst depth, energy, and how well "
        "the solver\n"
        "converged. --contacts writes one row per pair and logged step: the wrench that body_a exerts on body_b, world "
        "axes, torque\n"
        "about the centroid c, normal from a to b. -o writes poses, velocities and contacts for np.load. The same seed "
        "gives the same\n"
        "bits, but for wall times. Ctrl-C ends the run and writes what there is, marked as partial; the exit status is "
        "then 1.\n"},
    {"modes", cli_modes,
        "FILE|SCENE|NAME [--cs] [--of MODE] [--count] [--keyframe NAME] [--lattice FILE.svg] [--stable] "
        "[--consistent]\n"
        "                   [--grasp BODY] [options]",
        "every way a set of contacts can move: separate, stick, slide",
        "FILE is a .json file of contacts (docs/contacts.md), SCENE an MJCF or URDF file, a scene of 'abut simulate "
        "--list' or a robot\n"
        "of 'abut robot --list', in the posture of --keyframe (robots: the velocities are those of the joints,\n"
        "without those that equalities give), NAME one of box:1..5, peg:N,\n"
        "box-box:1|2, box-hand, hand-ball, hand-ball-generic, grasp:N. Prints one sign string per line: per contact 0 "
        "(stays) or + (separates), then per\n"
        "contact and dividing line of its tangent plane -, 0 or +, the sign of the sliding velocity, or . where the "
        "contact separates. --wrench\n"
        "takes one number per velocity (for a scene also the word gravity) and marks the modes whose contact forces "
        "can balance it. JSON: ss is the\n"
        "number of modes, cs of their separation patterns; tolerance_margin is the factor by which the tolerance could "
        "change without changing\n"
        "the result, null when the arithmetic was exact. Ctrl-C ends with what was found, marked partial, and exit "
        "status 1.\n"},
    {"robot", cli_robot, "MODEL [--state FILE] [--keyframe NAME] [--dynamics] [--distance] [--capsules FILE] [--json]",
        "what a robot is: links, joints, masses, actuators; where it stands",
        "MODEL is an MJCF file (.xml), a URDF file (.urdf) or a built-in model; 'abut robot --list' names robots. "
        "Without a state\n"
        "the joints are at their references.\n"
        "--state takes {\"qpos\": [...], \"qvel\": [...]} in the order of the file: body by body, free bodies as x, y, "
        "z, quaternion\n"
        "and velocity along world axes, angular velocity about body axes. JSON gives the pose of every body, com and "
        "mass of all\n"
        "bodies, and with --dynamics the mass matrix, armature included, and the bias: gravity and velocity products. "
        "What the file\n"
        "holds and is not read is reported once, as warnings.\n"},
    {"ik", cli_ik, "MODEL --frame F --target POSE [--state FILE] [--keyframe NAME] [--json]",
        "joint coordinates that bring a frame to a target",
        "Searches from the given state, or the reference, by damped least squares within the joint limits, then from "
        "random starts.\n"
        "Exit status 0 when the target was reached, 1 when not: the nearest that was found is printed then.\n"},
    {"plan", cli_plan,
        "MODEL --goal P [--start P] [--obstacles FILE] [-o FILE] [--cert FILE] [--json] | check MODEL TRAJECTORY ... | "
        "scenario NAME ... | bench ...",
        "motions of a robot that keep clear, with proof",
        "Plans a smooth motion from rest to rest that keeps clear of the robot itself and of what stands around, and "
        "proves\n"
        "that it does so at all times. A goal is a posture, or the pose of a frame. All pairs of links count but\n"
        "neighbours; what is left out is reported. The plan is the same for the same seed. Exit status 0 when it is "
        "certified,\n"
        "1 when none was found (the reason is printed), 3 when it is clear where it was looked at and not proved.\n"
        "'abut plan check' proves that a trajectory of any program keeps clear at all times, between its rows too, or\n"
        "names a pair and a time; 'abut help plan check' lists its options. 'abut plan scenario --list' names "
        "problems\n"
        "to try it on, 'abut plan bench' measures them.\n"},
    {"view", cli_view, "RUN.npz [OTHER.npz] | MODEL [-o PAGE.html] [--title TEXT]",
        "the log of a run, or a model, as one page to look at",
        "Writes a self-contained HTML page that replays the run, or shows a model in its keyframes: bodies, contact "
        "polygons, forces, and plots linked to the time. It opens\n"
        "by double click, without a network. Two logs are shown side by side on one clock, their charts in one.\n"},
    {"render", cli_render,
        "RUN.npz -o frame.png|film.gif|film.mp4 [--time T] [--size W,H] [--eye X,Y,Z] [--target X,Y,Z] [--forces] "
        "[--follow]",
        "a picture or a film of a run, without a browser",
        "Draws in software: no display, driver or browser is needed. The ending of the file chooses a picture (.png, "
        "of the logged step\n"
        "nearest to --time, or of the last) or a film of the whole run (.gif; .mp4 where the program ffmpeg is "
        "installed). Colours are those of the pages.\n"
        "Example: abut render run.npz -o film.gif --eye 1,-2,0.8 --forces --speed 0.5\n"},
    {"playground", cli_playground, "[-o PAGE.html] [--open]",
        "a page in which scenes run live: drag, push, throw, change friction, gravity, step and model",
        "Writes one HTML file that holds the library as WebAssembly. It opens by double click, without a network: "
        "choose a\n"
        "scene, pause, step, drag and push bodies with the mouse, throw balls, and see wrenches, contact modes and "
        "energy. The\n"
        "state hash on the page is that of abut simulate with the same scene and steps. page.html#stack:5 opens with "
        "that\n"
        "scene. The build needs emscripten for it; where it was not there, the command says so and exits with 2.\n"
        "Example: abut playground -o play.html --open\n"},
    {"sweep", cli_sweep, "\"COMMAND ... {NAME} ...\" --NAME VALUES ... -o TABLE.csv [--jobs N] [--shard I/N] [--json]",
        "one command, many runs: a table with a row per run",
        "COMMAND is any command that prints JSON, in quotes. Every --NAME that is not an option of sweep gives the "
        "values of a\n"
        "variable: 1..1000 (whole numbers), 0..1/5 (five numbers evenly spaced), a,b,c, or 'x,y;x,y' where values hold "
        "commas.\n"
        "{NAME} in the command stands for the value; without it the option --NAME VALUE is added. All combinations are "
        "run,\n"
        "each in a process of its own. The table has the variables, the exit status, the first line of messages, and "
        "the answer\n"
        "laid flat (residual.max, normal.0); it is the same bytes for any number of processes. Wall times are left out "
        "unless\n"
        "--times is given. A failed case is a row with its message, its exit status 2, 124 (time) or minus a signal.\n"
        "TABLE.csv.journal keeps what is done: after an interruption the same command goes on. On several machines "
        "use\n"
        "'mpirun -n 8 abut-mpi sweep ...', or one --shard I/N per machine, which writes TABLE.csv.shard-I-of-N, and "
        "then\n"
        "'abut sweep --merge TABLE.csv.shard-* -o TABLE.csv'. Exit status 1 when a case failed or Ctrl-C ended the "
        "sweep.\n"
        "\n"
        "example: abut sweep \"simulate boxes:20 --seed {seed}\" --seed 1..100 --dt 0.001,0.005 -o table.csv\n"},
    {"reproduce", cli_reproduce,
        "volumetric|modes|depth|mcd|planning|phong|intersection|all [-o DIR] [--quick] [--as-printed]",
        "the experiments of a paper, published and measured side by side",
        "Each writes summary.md, its tables and plots, and index.html, one page of them; all: every one of them, each "
        "into a folder of its\n"
        "own, and one page of everything.\n"
        "volumetric: the figures 3 to 8 of Zhang, Wakisaka and Sugihara, as pictures, CSV and SVG plots, and "
        "summary.md. Times\n"
        "are those of this machine. modes: Table 1 of Huang, Cheng and Mason as table.csv and summary.md, published, "
        "true and measured, by\n"
        "both methods; --quick leaves out the hand. depth: pairs of meshes along paths, after PolyDepth (Je and "
        "others): length\n"
        "of the way out, verified or not, and time, by sweeps, the classic method and convex pieces. intersection: "
        "Table 1, the\n"
        "examples and the flaw of Ren, Hong and Meng: their recursion, the linear program and GJK on the same "
        "instances. mcd: the least\n"
        "distance over a motion by all methods of Lee's thesis and by the front search: errors, distances, time. "
        "phong:\n"
        "the directions of parting on the pairs of that thesis by Euclid, its Phong distance and the soft direction. "
        "planning:\n"
        "its tables of plans, with samples, the method of the thesis and certified plans side by side.\n"},
};
/* clang-format on */

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_overview(FILE *to)
{
    fprintf(to,
        "abut %s: contact geometry and simulation: distance, penetration, overlap, modes, motions\n"
        "\n"
        "usage: abut COMMAND [arguments]\n"
        "\n"
        "commands:\n",
        abut_version());
    for (int i = 0; i < COMMAND_COUNT; ++i)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "  %-10s %s\n", "help", "this text, or 'abut help COMMAND' for one command");
    fprintf(to, "\nEvery command that answers a question takes --json (docs/json.md). Lengths are in metres, angles in "
                "radians.\n"
                "exit status: 0 done or yes, 1 no or interrupted, 2 bad input or usage, 3 not decided\n");
}

int cli_is_command(const char *name)
{
    int i = 0;
    while (i < COMMAND_COUNT && strcmp(commands[i].name, name) != 0)
        ++i;
    return i < COMMAND_COUNT ? i + 1 : 0;
}

static const CliCommand *find_command(const char *name)
{
    int number = cli_is_command(name);
    const char *near = number ? NULL : abut_suggest(name, COMMAND_COUNT, &commands[0].name, sizeof commands[0]);
    if (near)
        cli_error("unknown command '%s'; did you mean '%s'?", name, near);
    if (!number)
        cli_error("unknown command '%s'; 'abut help' lists the commands", name);
    return &commands[number - 1];
}

/* Is it a form of a command with a help of its own, as check of plan? */
static int is_form(const char *command, const char *form)
{
    static const char *const forms[] = {"check", "scenario", "bench"};
    for (size_t i = 0; strcmp(command, "plan") == 0 && i < sizeof forms / sizeof *forms; ++i)
        if (strcmp(form, forms[i]) == 0)
            return 1;
    return 0;
}

/* The tables of the answers that commands print, each beside its command. */
extern const AbutRecord cli_intersect_answer, cli_distance_answer, cli_collide_answer, cli_decompose_answer,
    cli_volume_answer, cli_volume_pieces_answer, cli_cast_answer, cli_toi_answer, cli_clearance_answer, cli_info_answer,
    cli_make_answer, cli_minkowski_answer, cli_simulate_answer, cli_simulate_list, cli_modes_answer, cli_grasp_answer,
    cli_robot_answer, cli_ik_answer, cli_plan_answer, cli_plan_check_answer, plan_certificate_file, cli_sweep_answer;

static const AbutRecord *const answers[] = {&cli_info_answer, &cli_make_answer, &abut_mesh_maker_record,
    &cli_intersect_answer, &cli_distance_answer, &cli_collide_answer, &cli_cast_answer, &cli_toi_answer,
    &cli_clearance_answer, &cli_decompose_answer, &cli_minkowski_answer, &cli_volume_answer, &cli_volume_pieces_answer,
    &cli_simulate_answer, &cli_simulate_list, &cli_modes_answer, &cli_grasp_answer, &cli_robot_answer,
    &abut_builtin_scene_record, &cli_ik_answer, &cli_plan_answer, &cli_plan_check_answer, &plan_certificate_file,
    &cli_sweep_answer};

/* `abut help json`: the keys of every answer, from the tables that print them, as docs/json.md has them. */
static int print_answers(void)
{
    for (int i = 0; i < CLI_ROWS(answers); ++i)
        abut_record_print_keys(stdout, answers[i]);
    return CLI_OK;
}

static int help(int argc, char **argv)
{
    static char flag[] = "--help";
    if (argc == 0 || strcmp(argv[0], "help") == 0) {
        print_overview(stdout);
        return CLI_OK;
    }
    if (argc == 1 && strcmp(argv[0], "json") == 0)
        return print_answers();
    int form = argc == 2 && is_form(argv[0], argv[1]);
    if (argc > 1 && !form)
        cli_error("help takes one command, got %d", argc);
    cli_command = find_command(argv[0]);
    return cli_command->run(1 + form, form ? (char *[]){argv[1], flag} : (char *[]){flag});
}

static int run(int argc, char **argv)
{
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("abut %s\n", abut_version());
        return CLI_OK;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 2, argv + 2);
    cli_command = find_command(name);
    int open, status = cli_command->run(argc - 2, argv + 2);
    const char *page = cli_page(&open);
    if (page && status != CLI_BAD)
        cli_link_page(page, open);
    return status;
}

int cli_main(int argc, char **argv)
{
    abut_literature_register();
    interrupt_install();
    if (argc < 2) {
        print_overview(stderr);
        return CLI_BAD;
    }
    return cli_finish(run(argc, argv));
}
