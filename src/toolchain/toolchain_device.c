/* SPDX-License-Identifier: Apache-2.0 */
/* Device code in memory to PTX, for libraries that compile (libnvrtc).
 * Method: source and headers become files of a folder that goes afterwards; clang sees the headers under
 * their names through its virtual file system, in a folder that does not exist, deep enough for names with
 * "..". #line gives each file its name in messages, __FILE__ and line tables. The words are those of
 * `softwarp cc` without the host's headers. Clang 19 makes PTX up to sm_90a: for newer targets it is given
 * the highest one that it knows, __CUDA_ARCH__ is the one asked for, and so are .target and .version of the
 * PTX. Limits: instructions that only newer targets have must stand in asm statements. */
#include "toolchain_priv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where clang sees the headers; names may go up eight folders. */
#define HEADERS "/softwarp-nvrtc/1/2/3/4/5/6/7/8"
enum { PTX_MAJOR = 9, PTX_MINOR = 0 }; /* of CUDA 13.0, for targets that clang does not know */

struct device_work {
    const struct toolchain_device *device;
    struct arena *arena;
    struct toolchain_folder folder;
    struct toolchain_paths paths;
    toolchain_args words;
    const char *ptx, *log; /* files */
    struct sw_error *error;
};

void toolchain_add_device(toolchain_args *words, struct arena *arena, const struct toolchain_paths *paths)
{
    *vec_push(words) = arena_printf(arena, "--cuda-path=%s", paths->sdk);
    static const char *const always[] = {
        "-nocudainc", "-Wno-unknown-cuda-version",
        "-Wno-pass-failed", /* #pragma unroll that asks for more than can be done, as nvcc is silent */
        "-Wno-register",    /* a word that C++17 took out, which nvcc takes */
        /* As nvcc, fuse a program's multiplications and additions; but not the device library's, which are
         * exact tricks. */
        "-ffp-contract=fast-honor-pragmas",
        /* An allocation in device code may fail, and a program may ask whether it did. */
        "-Xarch_device", "-fno-builtin-malloc", "-Xarch_device", "-fno-builtin-free", "-Xarch_device",
        "-fcheck-new"};
    for (size_t i = 0; i < SW_COUNT_OF(always); i++)
        *vec_push(words) = always[i];
    *vec_push(words) = arena_printf(arena, "-I%s", paths->include);
    *vec_push(words) = "-idirafter"; /* after those of CCCL, where the command line names them */
    *vec_push(words) = arena_printf(arena, "%s/softwarp/cxx", paths->include);
    *vec_push(words) = "-include";
    *vec_push(words) = arena_printf(arena, "%s/softwarp/prelude.h", paths->include);
}

static void device_add(struct device_work *work, const char *word)
{
    *vec_push(&work->words) = word;
}

/* A line that gives what follows it the name of `text`. */
static void add_line(struct str *out, const char *name)
{
    str_add(out, "#line 1 \"");
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') str_add_char(out, '\\');
        str_add_char(out, *name);
    }
    str_add(out, "\"\n");
}

/* Without "." and "a/..", which the virtual file system does not have. */
static const char *virtual_path(struct arena *arena, const char *name)
{
    struct str out = {0};
    if (*name != '/') str_add(&out, HEADERS);
    while (*name) {
        name += strspn(name, "/");
        size_t length = strcspn(name, "/");
        if (length == 2 && strncmp(name, "..", 2) == 0) {
            const char *slash = out.length ? strrchr(out.text, '/') : NULL;
            if (slash) out.text[out.length = (size_t)(slash - out.text)] = '\0';
        } else if (length && !(length == 1 && *name == '.')) {
            str_add_char(&out, '/');
            str_add_bytes(&out, name, length);
        }
        name += length;
    }
    const char *path = arena_strdup(arena, str_text(&out));
    str_release(&out);
    return path;
}

/* Headers of CUDA's that Softwarp has are Softwarp's: NVIDIA's are for NVIDIA's compiler. */
static bool is_ours(struct device_work *work, const char *name)
{
    return name[0] != '/' && access(arena_printf(work->arena, "%s/%s", work->paths.include, name), R_OK) == 0;
}

static enum sw_status write_headers(struct device_work *work)
{
    const struct toolchain_device *device = work->device;
    struct str listing = {0};
    enum sw_status status = SW_OK;
    for (uint32_t i = 0; i < device->header_count && status == SW_OK; i++) {
        const struct toolchain_text *header = &device->headers[i];
        if (is_ours(work, header->name)) continue;
        struct str text = {0};
        const char *copy = arena_printf(work->arena, "%s/h%u", work->folder.path, i);
        add_line(&text, header->name);
        str_add(&text, header->text);
        toolchain_listing_add(&listing, virtual_path(work->arena, header->name), copy);
        status = toolchain_file_write(copy, &text, work->error);
        str_release(&text);
    }
    if (status == SW_OK && listing.length) {
        const char *path = arena_printf(work->arena, "%s/files.yaml", work->folder.path);
        status = toolchain_listing_write(&listing, path, work->error);
        device_add(work, "-ivfsoverlay");
        device_add(work, path);
        device_add(work, "-iquote"); /* before the folders of the program's own -I */
        device_add(work, HEADERS);
        device_add(work, "-I" HEADERS);
    }
    str_release(&listing);
    return status;
}

static enum sw_status write_source(struct device_work *work, const char *path)
{
    const struct toolchain_device *device = work->device;
    struct str text = {0};
    str_add(&text, device->before);
    add_line(&text, device->source.name);
    str_add(&text, device->source.text);
    str_add_char(&text, '\n');
    str_add(&text, device->after);
    enum sw_status status = toolchain_file_write(path, &text, work->error);
    str_release(&text);
    return status;
}

static bool is_beyond_clang(const struct toolchain_device *device)
{
    return device->sm > 90 || device->sm == 88;
}

static void add_target(struct device_work *work)
{
    const struct toolchain_device *device = work->device;
    device_add(work, arena_printf(work->arena, "--cuda-gpu-arch=%s",
                                  toolchain_target_of_clang(work->arena, device->sm, device->suffix)));
    if (!is_beyond_clang(device)) return;
    device_add(work, "-Wno-builtin-macro-redefined");
    device_add(work, "-U__CUDA_ARCH__");
    device_add(work, arena_printf(work->arena, "-D__CUDA_ARCH__=%u0", device->sm));
    if (device->suffix)
        device_add(work, arena_printf(work->arena, "-D__CUDA_ARCH_FEAT_SM%u_ALL=1", device->sm));
}

static enum sw_status compose(struct device_work *work)
{
    static const char *const first[] = {"-x",
                                        "cuda",
                                        "--cuda-device-only",
                                        "-S",
                                        "-nostdlibinc",
                                        "-nostdinc++",
                                        "-D__CUDACC_RTC__=1",
                                        "-fdiagnostics-format=msvc",
                                        "-fno-show-column",
                                        "-fno-diagnostics-show-line-numbers",
                                        "-fno-color-diagnostics",
                                        "-Wno-pragma-clang-attribute",
                                        "-Wno-c++26-extensions", /* these of CCCL */
                                        "-Wno-macro-redefined",
                                        "-Wno-user-defined-literals"};
    const struct toolchain_device *device = work->device;
    const char *source = arena_printf(work->arena, "%s/source.cu", work->folder.path);
    device_add(work, work->paths.clang);
    for (size_t i = 0; i < SW_COUNT_OF(first); i++)
        device_add(work, first[i]);
    SW_TRY(write_headers(work));
    const char *slash =
        strrchr(device->source.name, '/'); /* as NVRTC: quoted names are beside the program's */
    device_add(work, "-iquote");
    device_add(work, slash ? arena_strndup(work->arena, device->source.name,
                                           (size_t)(slash - device->source.name) + 1)
                           : ".");
    toolchain_add_device(&work->words, work->arena, &work->paths);
    add_target(work);
    for (uint32_t i = 0; i < device->word_count; i++)
        device_add(work, device->words[i]);
    device_add(work, "-o");
    device_add(work, work->ptx);
    device_add(work, source);
    device_add(work, NULL);
    return write_source(work, source);
}

/* The first two directives: clang's target is at most the one asked for. */
static void name_target(const struct toolchain_device *device, struct str *ptx)
{
    const char *text = str_text(ptx), *version = strstr(text, ".version"), *target = strstr(text, ".target");
    if (!version || !target || target < version || !is_beyond_clang(device)) return;
    struct str out = {0};
    str_add_bytes(&out, text, (size_t)(version - text));
    str_printf(&out, ".version %d.%d\n.target sm_%u%.1s", PTX_MAJOR, PTX_MINOR, device->sm, &device->suffix);
    const char *rest = target + strlen(".target ");
    str_add(&out, rest + strcspn(rest, ",\n"));
    str_release(ptx);
    *ptx = out;
}

static enum sw_status run(struct device_work *work, struct toolchain_device_result *out)
{
    int exit_code = 0;
    struct toolchain_device_result made = {0};
    enum sw_status status =
        toolchain_run((char *const *)(uintptr_t)work->words.at, work->log, &exit_code, work->error);
    if (status == SW_OK) status = toolchain_file_read(work->log, &made.log, work->error);
    if (status == SW_OK && exit_code > 1)
        status = sw_fail(work->error, SW_OPERATING_SYSTEM, "clang ended with status %d: %s", exit_code,
                         str_text(&made.log));
    bool made_ptx = access(work->ptx, R_OK) == 0; /* not with -fsyntax-only */
    made.compiled = exit_code == 0 || (exit_code == TOOLCHAIN_UNKNOWN && made_ptx);
    if (status == SW_OK && made.compiled && made_ptx)
        status = toolchain_file_read(work->ptx, &made.ptx, work->error);
    if (status == SW_OK) {
        name_target(work->device, &made.ptx);
        *out = made;
        return SW_OK;
    }
    str_release(&made.log);
    str_release(&made.ptx);
    return status;
}

enum sw_status toolchain_device_compile(const struct toolchain_device *device,
                                        struct toolchain_device_result *out, struct sw_error *error)
{
    struct arena arena;
    struct device_work work = {.device = device, .arena = &arena, .error = error};
    arena_init(&arena);
    enum sw_status status = toolchain_find(&arena, &work.paths, error);
    if (status == SW_OK) status = toolchain_folder_make(&work.folder, error);
    if (status == SW_OK) {
        work.ptx = arena_printf(&arena, "%s/ptx", work.folder.path);
        work.log = arena_printf(&arena, "%s/log", work.folder.path);
        status = compose(&work);
        if (status == SW_OK) status = run(&work, out);
        toolchain_folder_remove(&work.folder);
    }
    vec_release(&work.words);
    arena_release(&arena);
    return status;
}
