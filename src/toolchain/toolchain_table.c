/* SPDX-License-Identifier: Apache-2.0 */
/* The options of nvcc that `softwarp cc` knows, and what becomes of each; toolchain_options.c acts on it.
 * Method: a row an option, with its long and its short name; the longest name that matches counts, so that
 * -gencode is not -g. What no row matches goes to clang as it is, which names what it does not know.
 * Limits: rows marked REFUSE or NOTE say why; nothing is left out in silence. */
#include "toolchain_options_priv.h"

#include <string.h>

/* clang's headers take the fast forms of sine, cosine and two logarithms; nvcc those of these functions too.
 */
#define FAST_MATH                                                                                            \
    "-fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero -mllvm -nvptx-prec-divf32=0 -mllvm "         \
    "-nvptx-prec-sqrtf32=0 -D__nv_sqrtf=__nv_sqrtf_approx_ftz -D__nv_expf=__nv_fast_expf "                   \
    "-D__nv_exp10f=__nv_fast_exp10f -D__nv_powf=__nv_fast_powf -D__nv_tanf=__nv_fast_tanf "                  \
    "-D__nv_log10f=__nv_fast_log10f"
#define ROUGH_SQRT "-mllvm -nvptx-prec-sqrtf32=0 -D__nv_sqrtf=__nv_sqrtf_approx"

#define NO_MACHINE_CODE "Softwarp runs PTX and generates no machine code: use -ptx or -fatbin"
#define CLANGS_WARNINGS "it concerns NVIDIA's front end; choose warnings of clang with -W and -Wno-"
#define NO_DEVICE_LINK  "device code is linked when the program runs"

static const struct toolchain_option options[] = {
    /* What to make. */
    {"--output-file", "-o", JOINED, OUTPUT, NULL, NULL},
    {"--ptx", "-ptx", ALONE, KIND_PTX, NULL, NULL},
    {"--fatbin", "-fatbin", ALONE, KIND_FATBIN, NULL, NULL},
    {"--compile", "-c", ALONE, COMPILE, "-c", NULL},
    {"--preprocess", "-E", ALONE, HOST_ONLY, "-E", NULL},
    {NULL, "-S", ALONE, COMPILE, "-S", NULL},
    {"--generate-dependencies", "-M", ALONE, HOST_ONLY, "-M", NULL},
    {"--generate-nonsystem-dependencies", "-MM", ALONE, HOST_ONLY, "-MM", NULL},
    {"--generate-dependencies-with-compile", "-MD", ALONE, WORDS, "-MD", NULL},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", ALONE, WORDS, "-MMD", NULL},
    {"--generate-dependency-targets", "-MP", ALONE, WORDS, "-MP", NULL},
    {"--dependency-output", "-MF", JOINED, CLANG_VALUE, "-MF", NULL},
    {"--dependency-target-name", "-MT", JOINED, CLANG_VALUE, "-MT", NULL},
    {NULL, "-MQ", JOINED, CLANG_VALUE, "-MQ", NULL},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", ALONE, COMPILE, "-fsyntax-only --cuda-device-only",
     NULL},
    {NULL, "-fsyntax-only", ALONE, COMPILE, "-fsyntax-only", NULL},
    {"--link", "-link", ALONE, MEANT, NULL, NULL},
    {"--shared", "-shared", ALONE, WORDS, "-shared", NULL},
    {"--run", "-run", ALONE, RUN, NULL, NULL},
    {"--run-args", "-run-args", VALUE, RUN_ARGUMENTS, NULL, NULL},
    {"--dryrun", "-dryrun", ALONE, SHOW, "-###", NULL},
    {NULL, "-###", ALONE, SHOW, "-###", NULL},
    {"--verbose", "-v", ALONE, WORDS, "-v", NULL},
    {"--version", "-V", ALONE, VERSION, NULL, NULL},
    {"--help", "-h", ALONE, HELP, NULL, NULL},
    {"--list-gpu-arch", "-arch-ls", ALONE, LIST_TARGETS, "compute_", NULL},
    {"--list-gpu-code", "-code-ls", ALONE, LIST_TARGETS, "sm_", NULL},
    {"--options-file", "-optf", VALUE, RESPONSE, NULL, NULL},
    {"--cubin", "-cubin", ALONE, REFUSE, NO_MACHINE_CODE, NULL},
    {"--ltoir", "-ltoir", ALONE, REFUSE, NO_MACHINE_CODE, NULL},
    {"--optix-ir", "-optix-ir", ALONE, REFUSE, "Softwarp does not include OptiX", NULL},
    {"--cuda", "-cuda", ALONE, REFUSE,
     "clang generates no intermediate C++: use -E for the output of the preprocessor", NULL},
    {"--lib", "-lib", ALONE, REFUSE, "object files are ordinary: compile with -c or -dc, then run ar rcs",
     NULL},
    {"--archive-options", "-Xarchive", VALUE, REFUSE, "pass them to ar", NULL},
    {"--relocatable-link", "-r", ALONE, REFUSE, "object files are ordinary: use ld -r", NULL},
    {"--output-directory", "-odir", VALUE, REFUSE, "give -o FILE", NULL},
    {"--host-linker-script", "-hls", VALUE, REFUSE, "no linker script is needed", NULL},
    {"--augment-host-linker-script", "-aug-hls", ALONE, REFUSE, "no linker script is needed", NULL},
    {"--extensible-whole-program", "-ewp", ALONE, REFUSE, "use -rdc=true", NULL},
    {"--relocatable-ptx", "-reloc-ptx", ALONE, REFUSE, "use -rdc=true", NULL},
    {"--compile-as-tools-patch", "-astoolspatch", ALONE, REFUSE, NO_MACHINE_CODE, NULL},
    {"--clean-targets", "-clean", ALONE, REFUSE, "delete the files yourself", NULL},
    {"--time", "-time", VALUE, REFUSE, "clang has -ftime-report", NULL},
    {"--fdevice-time-trace", "-fdevice-time-trace", VALUE, REFUSE, "clang has -ftime-trace", NULL},
    /* Separate compilation. */
    {"--device-c", "-dc", ALONE, RELOCATABLE, "-c", NULL},
    {"--device-w", "-dw", ALONE, COMPILE, "-c", NULL},
    {"--device-link", "-dlink", ALONE, DEVICE_LINK, NULL, NULL},
    {"--no-device-link", "-nodlink", ALONE, MEANT, NULL, NULL},
    {"--relocatable-device-code", "-rdc", VALUE, RELOCATABLE, NULL, NULL},
    {NULL, "-fgpu-rdc", ALONE, RELOCATABLE, "", NULL},
    {"--dlink-time-opt", "-dlto", ALONE, MEANT, NULL,
     NULL}, /* the whole program is compiled at once anyway */
    {"--lto", "-lto", ALONE, MEANT, NULL, NULL},
    {"--gen-opt-lto", "-gen-opt-lto", ALONE, MEANT, NULL, NULL},
    {"--nvlink-options", "-Xnvlink", VALUE, NOTE, NO_DEVICE_LINK, NULL},
    /* For which GPU. */
    {"--gpu-architecture", "-arch", VALUE, TARGET, NULL, NULL},
    {"--gpu-code", "-code", VALUE, CODE, NULL, NULL},
    {"--generate-code", "-gencode", VALUE, TARGET, NULL, NULL},
    {"--cuda-gpu-arch", NULL, VALUE, TARGET, NULL, NULL},
    {"--offload-arch", NULL, VALUE, TARGET, NULL, NULL},
    {"--entries", "-e", VALUE, NOTE, "all kernels are kept", NULL},
    {"--keep-device-functions", "-keep-device-functions", ALONE, NOTE, "use -rdc=true to keep them", NULL},
    {"--machine", "-m", VALUE, MACHINE, NULL, NULL},
    {"--m64", "-m64", ALONE, MEANT, NULL, NULL},
    /* How. */
    {NULL, "-O", JOINED, OPTIMISE, NULL, NULL},
    {"--optimize", NULL, VALUE, OPTIMISE, NULL, NULL},
    {"--dopt", "-dopt", VALUE, DEVICE_OPTIMISE, NULL, NULL},
    {"--Ofast-compile", "-Ofc", VALUE, NOTE, "compilation is not slower without it", NULL},
    {NULL, "-g", JOINED, DEBUG, "-g", NULL},
    {"--debug", NULL, ALONE, DEBUG, "-g", NULL},
    {"--device-debug", "-G", ALONE, DEVICE_DEBUG, NULL, NULL},
    {"--generate-line-info", "-lineinfo", ALONE, MEANT, NULL, NULL}, /* lines are always kept */
    {"--source-in-ptx", "-src-in-ptx", ALONE, NOTE, "profiles read the source file itself", NULL},
    {"--profile", "-pg", ALONE, WORDS, "-pg", NULL},
    {"--std", "-std", VALUE, PREFIX, "-std=", NULL},
    {"--no-exceptions", "-noeh", ALONE, WORDS, "-fno-exceptions", NULL},
    {"--use_fast_math", "-use_fast_math", ALONE, WORDS, FAST_MATH, NULL},
    {"--ftz", "-ftz", VALUE, FLAG, "-fgpu-flush-denormals-to-zero", ""},
    {"--prec-div", "-prec-div", VALUE, FLAG, "", "-mllvm -nvptx-prec-divf32=1"},
    {"--prec-sqrt", "-prec-sqrt", VALUE, FLAG, "", ROUGH_SQRT},
    {"--fmad", "-fmad", VALUE, FLAG, "", "-ffp-contract=off"},
    {"--maxrregcount", "-maxrregcount", VALUE, MAX_REGISTERS, NULL, NULL},
    {"--resource-usage", "-res-usage", ALONE, REPORT, NULL, NULL},
    {"--ptxas-options", "-Xptxas", VALUE, PTXAS, NULL, NULL},
    {"--default-stream", "-default-stream", VALUE, DEFAULT_STREAM, NULL, NULL},
    {"--x", "-x", JOINED, LANGUAGE, NULL, NULL},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", ALONE, MEANT, NULL, NULL}, /* clang's rule */
    {"--expt-extended-lambda", "-expt-extended-lambda", ALONE, MEANT, NULL, NULL},
    {"--extended-lambda", "-extended-lambda", ALONE, MEANT, NULL, NULL},
    {"--restrict", "-restrict", ALONE, NOTE, "write __restrict__; it is a hint to the optimiser", NULL},
    {"--extra-device-vectorization", "-extra-device-vectorization", ALONE, NOTE, "clang vectorises at -O3",
     NULL},
    {"--optimization-info", "-opt-info", VALUE, NOTE, "clang has -Rpass=", NULL},
    {"--jump-table-density", "-jtd", VALUE, NOTE, "clang decides where to use jump tables", NULL},
    {"--device-stack-protector", "-device-stack-protector", VALUE, NOTE, "device code has no stack protector",
     NULL},
    {"--sanitize", "-sanitize", VALUE, REFUSE, "instrumented device code is not generated", NULL},
    {"--no-align-double", NULL, ALONE, REFUSE, "it is for 32-bit hosts", NULL},
    /* Other tools' words. */
    {"--compiler-options", "-Xcompiler", VALUE, SPLIT, NULL, NULL},
    {"--linker-options", "-Xlinker", VALUE, PREFIX, "-Wl,", NULL},
    {NULL, "-Xfatbin", VALUE, NOTE, "fat binaries are always compressed, and there is no other choice", NULL},
    {NULL, "-Xcudafe", VALUE, NOTE, CLANGS_WARNINGS, NULL},
    {"--compiler-bindir", "-ccbin", VALUE, NOTE, "clang also compiles the host code", NULL},
    {"--archiver-binary", "-arbin", VALUE, NOTE, "ar is not called", NULL},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", ALONE, MEANT, NULL, NULL},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", ALONE, MEANT, NULL, NULL},
    {"--forward-unknown-opts", "-forward-unknown-opts", ALONE, MEANT, NULL, NULL},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", ALONE, MEANT, NULL, NULL},
    {"--cudart", "-cudart", VALUE, RUNTIME, NULL, NULL},
    {"--cudadevrt", "-cudadevrt", VALUE, MEANT, NULL, NULL}, /* its functions are the driver's */
    {"--libdevice-directory", "-ldir", VALUE, NOTE, "the device library is Softwarp's", NULL},
    {"--target-directory", "-target-dir", VALUE, NOTE, "headers and libraries are Softwarp's", NULL},
    {"--dont-use-profile", "-noprof", ALONE, MEANT, NULL, NULL},
    {"--qpp-config", "-qpp-config", VALUE, NOTE, "clang also compiles the host code", NULL},
    {"--use-local-env", "-use-local-env", ALONE, NOTE, "it is for Windows", NULL},
    {"--force-cl-env-setup", "-force-cl-env-setup", ALONE, NOTE, "it is for Windows", NULL},
    {"--input-drive-prefix", "-idp", VALUE, NOTE, "it is for Windows", NULL},
    {"--dependency-drive-prefix", "-ddp", VALUE, NOTE, "it is for Windows", NULL},
    {"--drive-prefix", "-dp", VALUE, NOTE, "it is for Windows", NULL},
    {"--static-global-template-stub", "-static-global-template-stub", VALUE, NOTE,
     "kernels keep the linkage that the source gives them", NULL},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", VALUE, NOTE,
     "variables keep the visibility that the source gives them", NULL},
    {"--no-host-device-initializer-list", "-nohdinitlist", ALONE, NOTE,
     "clang treats constexpr functions as host and device functions", NULL},
    {"--no-host-device-move-forward", "-nohdmoveforward", ALONE, NOTE,
     "clang treats constexpr functions as host and device functions", NULL},
    /* Speed of compiling. */
    {"--threads", "-t", VALUE, MEANT, NULL, NULL},
    {"--split-compile", "-split-compile", VALUE, MEANT, NULL, NULL},
    {"--split-compile-extended", "-split-compile-extended", VALUE, MEANT, NULL, NULL},
    {"--jobserver", "-jobserver", ALONE, MEANT, NULL, NULL},
    {"--no-compress", "-no-compress", ALONE, MEANT, NULL, NULL},
    {"--compress-mode", "-compress-mode", VALUE, MEANT, NULL, NULL},
    {"--objdir-as-tempdir", "-objtemp", ALONE, MEANT, NULL, NULL},
    {"--frandom-seed", "-frandom-seed", VALUE, PREFIX, "-frandom-seed=", NULL},
    {"--keep", "-keep", ALONE, WORDS, "-save-temps", NULL},
    {"--save-temps", "-save-temps", ALONE, WORDS, "-save-temps", NULL},
    {"--keep-dir", "-keep-dir", VALUE, NOTE, "clang keeps intermediate files in the current folder", NULL},
    /* Warnings. */
    {"--disable-warnings", "-w", ALONE, WORDS, "-w", NULL},
    {NULL, "-Werror", ALONE, WARNINGS_ARE_ERRORS, NULL, NULL},
    {"--Werror", NULL, VALUE, WARNINGS_ARE_ERRORS, NULL, NULL},
    {NULL, "-Werror=all-warnings", ALONE, WORDS, "-Werror", NULL},
    {NULL, "-Werror=cross-execution-space-call", ALONE, MEANT, NULL, NULL}, /* an error of clang's */
    {"--Wreorder", "-Wreorder", ALONE, WORDS, "-Wreorder", NULL},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", ALONE, WORDS,
     "-Wno-deprecated-declarations", NULL},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", ALONE, MEANT, NULL, NULL},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", ALONE, NOTE, CLANGS_WARNINGS, NULL},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", ALONE, NOTE, CLANGS_WARNINGS, NULL},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", ALONE, NOTE, CLANGS_WARNINGS, NULL},
    {"--diag-suppress", "-diag-suppress", VALUE, NOTE, CLANGS_WARNINGS, NULL},
    {"--diag-error", "-diag-error", VALUE, NOTE, CLANGS_WARNINGS, NULL},
    {"--diag-warn", "-diag-warn", VALUE, NOTE, CLANGS_WARNINGS, NULL},
    {"--display-error-number", "-err-no", ALONE, NOTE, "clang names its warnings", NULL},
    {"--no-display-error-number", "-no-err-no", ALONE, MEANT, NULL, NULL},
    {"--brief-diagnostics", "-brief-diag", VALUE, NOTE, "clang has -fno-caret-diagnostics", NULL},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", VALUE, PREFIX,
     "-ftemplate-backtrace-limit=", NULL},
    {"--ftemplate-depth", "-ftemplate-depth", VALUE, PREFIX, "-ftemplate-depth=", NULL},
    /* The preprocessor's and the linker's. */
    {"--library", "-l", JOINED, LIBRARY, NULL, NULL},
    {"--include-path", "-I", JOINED, LIST, "-I", NULL},
    {"--system-include", "-isystem", JOINED, LIST, "-isystem", NULL},
    {"--library-path", "-L", JOINED, LIST, "-L", NULL},
    {"--pre-include", "-include", VALUE, LIST, "-include", NULL},
    {"--define-macro", "-D", JOINED, CLANG_VALUE, "-D", NULL},
    {"--undefine-macro", "-U", JOINED, CLANG_VALUE, "-U", NULL},
    /* clang's own that take the next word. */
    {NULL, "-Xclang", VALUE, CLANG_VALUE, "-Xclang", NULL},
    {NULL, "-mllvm", VALUE, CLANG_VALUE, "-mllvm", NULL},
    {NULL, "-Xarch_device", VALUE, CLANG_VALUE, "-Xarch_device", NULL},
    {NULL, "-Xarch_host", VALUE, CLANG_VALUE, "-Xarch_host", NULL},
    {NULL, "-idirafter", VALUE, CLANG_VALUE, "-idirafter", NULL},
    {NULL, "-iquote", VALUE, CLANG_VALUE, "-iquote", NULL},
    {NULL, "-target", VALUE, CLANG_VALUE, "-target", NULL},
};

/* Whether word is `name` of a form; *value: what is joined to it, NULL when it must come as the next word. */
static bool table_matches(const char *name, enum form form, enum action action, const char *word,
                          const char **value)
{
    if (!name || strncmp(word, name, strlen(name)) != 0) return false;
    const char *rest = word + strlen(name);
    *value = "";
    if (form == ALONE) return *rest == '\0';
    if (*rest == '\0') {
        bool level =
            form == JOINED && (action == OPTIMISE || action == DEBUG); /* -O, -g alone are complete */
        *value = level ? "" : NULL;
        return true;
    }
    bool equals = *rest == '=' && (form == VALUE || action == LIST || action == LANGUAGE);
    *value = equals ? rest + 1 : rest;
    return form == JOINED || *rest == '=';
}

const struct toolchain_option *toolchain_option_find(const char *word, const char **value, const char **name)
{
    const struct toolchain_option *best = NULL;
    size_t length = 0;
    for (size_t i = 0; i < SW_COUNT_OF(options); i++) {
        const struct toolchain_option *o = &options[i];
        const char *names[] = {o->longer, o->shorter}, *candidate;
        for (size_t n = 0; n < SW_COUNT_OF(names); n++) {
            enum form form = n == 0 && o->form == JOINED ? VALUE : o->form;
            if (!table_matches(names[n], form, o->action, word, &candidate) || strlen(names[n]) <= length)
                continue;
            best = o;
            length = strlen(names[n]);
            *value = candidate;
            *name = names[n];
        }
    }
    return best;
}

const struct toolchain_option *toolchain_option_at(size_t i)
{
    return i < SW_COUNT_OF(options) ? &options[i] : NULL;
}

const char *toolchain_words_of(const char *option, bool on)
{
    const char *value, *name;
    const struct toolchain_option *row = toolchain_option_find(option, &value, &name);
    SW_ASSERT(row && (row->action == WORDS || row->action == FLAG));
    return on ? row->text : row->action == FLAG ? row->other : "";
}
