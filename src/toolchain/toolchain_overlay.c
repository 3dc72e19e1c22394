/* SPDX-License-Identifier: Apache-2.0 */
/* Files that clang sees in the place of the program's, where those hold what only nvcc takes
 * (toolchain_rewrite.c). Method: changed copies in a folder of their own, and a list for clang's virtual file
 * system, so that messages, line tables, __FILE__ and dependencies keep the program's names. Limits: of the
 * files that a source includes only those are looked at that lie beside the file that names them, in quotes.
 */
#include "toolchain_rewrite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct making {
    struct arena *arena;
    struct toolchain_overlay *out;
    struct sw_error *error;
    toolchain_args waiting; /* paths, absolute; those before `next` are done */
    size_t next;
    struct str listing;
    bool launches;
};

static void wait_for(struct making *m, const char *path)
{
    for (size_t i = 0; i < m->waiting.count; i++)
        if (strcmp(m->waiting.at[i], path) == 0) return;
    *vec_push(&m->waiting) = path;
}

static void add_quoted(struct str *out, const char *text)
{
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') str_add_char(out, '\\');
        str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

void toolchain_listing_add(struct str *listing, const char *path, const char *copy)
{
    str_add(listing, listing->length ? ",\n" : "");
    str_add(listing, "{\"type\": \"file\", \"name\": ");
    add_quoted(listing, path);
    str_add(listing, ", \"external-contents\": ");
    add_quoted(listing, copy);
    str_add(listing, "}");
}

enum sw_status toolchain_listing_write(const struct str *listing, const char *path, struct sw_error *error)
{
    struct str text = {0};
    str_printf(&text, "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n%s\n]}\n",
               str_text(listing));
    enum sw_status status = toolchain_file_write(path, &text, error);
    str_release(&text);
    return status;
}

static enum sw_status overlay_put(struct making *m, const char *path, const struct str *text)
{
    struct toolchain_overlay *out = m->out;
    if (!out->folder.path[0]) SW_TRY(toolchain_folder_make(&out->folder, m->error));
    const char *copy = arena_printf(m->arena, "%s/%zu", out->folder.path, out->files++);
    toolchain_listing_add(&m->listing, path, copy);
    return toolchain_file_write(copy, text, m->error);
}

/* A file that cannot be read is clang's to report. */
static enum sw_status overlay_rewrite(struct making *m, const char *path)
{
    struct str text = {0};
    struct toolchain_rewritten changed = {0};
    enum sw_status status = SW_OK;
    const char *slash = strrchr(path, '/');
    if (toolchain_file_read(path, &text, NULL) == SW_OK) {
        if (toolchain_rewrite_text(m->arena, str_text(&text), text.length, m->launches, &changed))
            status = overlay_put(m, path, &changed.text);
    }
    for (size_t i = 0; i < changed.includes.count; i++) {
        const char *name = changed.includes.at[i];
        const char *beside = arena_printf(m->arena, "%.*s/%s", (int)(slash - path), path, name);
        if (name[0] != '/' && access(beside, R_OK) == 0) wait_for(m, beside);
    }
    vec_release(&changed.includes);
    str_release(&changed.text);
    str_release(&text);
    return status;
}

enum sw_status toolchain_overlay_make(struct arena *arena, const toolchain_args *sources, bool launches,
                                      struct toolchain_overlay *out, struct sw_error *error)
{
    char here[PATH_MAX];
    struct making m = {.arena = arena, .out = out, .error = error, .launches = launches};
    enum sw_status status = SW_OK;
    if (!getcwd(here, sizeof here)) return SW_OK; /* clang will say what is wrong with it */
    for (size_t i = 0; i < sources->count; i++) {
        const char *path = sources->at[i];
        wait_for(&m, path[0] == '/' ? path : arena_printf(arena, "%s/%s", here, path));
    }
    while (m.next < m.waiting.count && status == SW_OK)
        status = overlay_rewrite(&m, m.waiting.at[m.next++]);
    if (status == SW_OK && out->folder.path[0]) {
        out->listing = arena_printf(arena, "%s/files.yaml", out->folder.path);
        status = toolchain_listing_write(&m.listing, out->listing, error);
    }
    str_release(&m.listing);
    vec_release(&m.waiting);
    return status;
}

void toolchain_overlay_remove(struct toolchain_overlay *overlay)
{
    toolchain_folder_remove(&overlay->folder);
}
