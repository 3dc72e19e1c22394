/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp cache: what the cache of compiled kernels holds, whether all of it is sound, how to empty it, and
 * how to fill it before a program runs.
 */
#include "cli_priv.h"

#include "cache/cache.h"

#include <stdio.h>

static void print_bad(void *user, const char *name, const char *why)
{
    str_printf(user, "%s: %s\n", name, why);
}

static void print_state(const struct cache_state *state, const char *folder, struct str *out)
{
    str_printf(out, "folder     %s\n", folder);
    str_printf(out, "entries    %llu\n", (unsigned long long)state->entries);
    str_printf(out, "bytes      %llu (at most %llu)\n", (unsigned long long)state->bytes,
               (unsigned long long)cache_limit_bytes());
    str_printf(out, "damaged    %llu\n", (unsigned long long)state->damaged);
    if (state->old) str_printf(out, "old        %llu (of other versions)\n", (unsigned long long)state->old);
    str_printf(out, "unfinished %llu\n", (unsigned long long)state->leftovers);
    if (state->removed) str_printf(out, "removed    %llu\n", (unsigned long long)state->removed);
}

int cmd_cache(const struct cli_command *self, int argc, char **argv)
{
    bool check = false, clean = false, clear = false;
    const char *program = NULL;
    struct cli_warm warm = {0};
    const struct cli_option table[] = {
        {"--check", 0, CLI_FLAG, &check, NULL, "list damaged entries; the exit status is 1 if there are any"},
        {"--clean", 0, CLI_FLAG, &clean, NULL,
         "remove damaged entries, entries of other versions and unfinished entries"},
        {"--clear", 0, CLI_FLAG, &clear, NULL, "remove all entries"},
        {"--warm", 0, CLI_TEXT, &program, "PROGRAM",
         "compile the kernels of a program, a library or a PTX file into the cache"},
        {"--block", 0, CLI_TEXT, &warm.blocks, "LIST",
         "with --warm: for blocks of these shapes (128,16x16), not of the usual one"},
        {"--device", 0, CLI_TEXT, &warm.device, "GPU", "with --warm: GPU to compile for; default h200"},
        {"--any-target", 0, CLI_FLAG, &warm.any_target, NULL,
         "with --warm: PTX that was compiled for a newer GPU, too"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest < argc) return cli_fail(CLI_USAGE, "unexpected argument '%s'", argv[rest]);
    if (!program && (warm.blocks || warm.device || warm.any_target))
        return cli_fail(CLI_USAGE, "--block, --device and --any-target need --warm PROGRAM");
    struct cli_output output = {0};
    struct cache_state state;
    struct str folder = {0};
    enum cache_removal removal = clear ? CACHE_REMOVE_ALL : clean ? CACHE_REMOVE_BAD : CACHE_KEEP;
    if (!cache_folder(&folder)) {
        str_release(&folder);
        return cli_fail(CLI_USAGE, "the cache is turned off by CUDA_CACHE_DISABLE, or there is no HOME");
    }
    if (program) {
        str_release(&folder);
        code = cli_warm(&warm, program, &output.text);
        int written = cli_output_finish(&output);
        return code ? code : written;
    }
    if (cache_check(removal, &state, check ? print_bad : NULL, &output.text))
        print_state(&state, str_text(&folder), &output.text);
    else
        str_printf(&output.text, "folder     %s (missing, or not to be trusted)\n", str_text(&folder));
    str_release(&folder);
    int written = cli_output_finish(&output);
    return written ? written : state.damaged && check ? CLI_GATE : CLI_OK;
}
