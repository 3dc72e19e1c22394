/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp: the command. One table of subcommands; each has its own file. */
#include "cli_priv.h"

#include "base/base_reserve.h"

#include <stdio.h>
#include <string.h>

static const struct cli_command COMMANDS[] = {
    {"run", "[--device GPU] [--] PROGRAM [ARGS...]",
     "Run a CUDA program. Output and exit status are those of the program.", cmd_run},
    {"profile", "[options] [--] PROGRAM [ARGS...]",
     "Run a CUDA program and report its performance on the chosen GPU.", cmd_profile},
    {"check", "[options] [--] PROGRAM [ARGS...]", "Run a CUDA program and report what it does wrong.",
     cmd_check},
    {"trace", "-o FILE.json [--device GPU] [--] PROGRAM [ARGS...]",
     "Write a timeline of streams, copies and kernels on the chosen GPU.", cmd_trace},
    {"occupancy", "--device GPU --block N [options]",
     "Calculate the occupancy of a multiprocessor, and what limits it.", cmd_occupancy},
    {"compare", "[options] BASE NEW",
     "Compare two reports (JSON, CSV, CSV of ncu), and fail if a gate fails.", cmd_compare},
    {"assess", "[options] GPROF.txt",
     "Estimate the greatest speed-up by a GPU for each hotspot of a CPU profile.", cmd_assess},
    {"devices", "[GPU] [--json]", "List the GPUs that can be chosen, and the sources of their data.",
     cmd_devices},
    {"smi", "[-L | -q [-d SECTIONS] | --query-gpu=FIELDS --format=csv] [-i ID]",
     "Print what nvidia-smi prints, in the same format.", cmd_smi},
    {"cc", "[CLANG ARGS...] FILE.cu", "Compile CUDA C++ without NVIDIA software.", cmd_cc},
    {"ptxas", "[PTXAS OPTIONS...] FILE.ptx", "Check PTX and write a cubin that holds it, as ptxas is called.",
     cmd_ptxas},
    {"ptx", "FILE", "Read, check and print PTX.", cmd_ptx},
    {"cache", "[--check] [--clean] [--clear] [--warm PROGRAM]",
     "Show, check, remove or make the cached compiled kernels.", cmd_cache},
};

static void main_print_help(FILE *out)
{
    fprintf(out, "softwarp %s: a GPU in software\n\nusage: softwarp COMMAND [options]\n\ncommands\n",
            cli_version());
    for (size_t i = 0; i < SW_COUNT_OF(COMMANDS); i++)
        fprintf(out, "  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
    fprintf(out, "\nsoftwarp COMMAND --help shows the options. Exit status: that of the program; otherwise 2 "
                 "wrong use,\n3 not supported, 4 errors found by check, 5 internal error.\n");
    struct arena arena;
    arena_init(&arena);
    const char *prefix = cli_prefix(&arena);
    if (prefix)
        fprintf(out, "\nThe docs/ and examples/ that reports cite are in %s/share/doc/softwarp.\n", prefix);
    arena_release(&arena);
}

/* The links softwarp-cc and softwarp-ptxas, and nvcc and ptxas in the folder <toolkit>/bin, for build systems
 * and frameworks that want a compiler to be one word. NULL: another name. */
static int (*main_of_link(const char *name))(const struct cli_command *, int, char **)
{
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    if (strcmp(name, "softwarp-cc") == 0 || strcmp(name, "nvcc") == 0) return cmd_cc;
    return strcmp(name, "softwarp-ptxas") == 0 || strcmp(name, "ptxas") == 0 ? cmd_ptxas : NULL;
}

int main(int argc, char **argv)
{
    sw_reserve_begin(NULL);
    cli_signals_begin();
    int (*linked)(const struct cli_command *, int, char **) = argc ? main_of_link(argv[0]) : NULL;
    if (linked) return linked(NULL, argc, argv);
    if (argc < 2) {
        main_print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        main_print_help(stdout);
        return CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        cli_version_print();
        return CLI_OK;
    }
    for (size_t i = 0; i < SW_COUNT_OF(COMMANDS); i++)
        if (strcmp(argv[1], COMMANDS[i].name) == 0) return COMMANDS[i].run(&COMMANDS[i], argc - 1, argv + 1);
    return cli_fail(CLI_USAGE, "unknown command '%s': softwarp --help lists them", argv[1]);
}
