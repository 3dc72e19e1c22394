/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: how they begin and end, and what can be read from them. As with NVRTC, what was not made is no
 * error: it has size 0 (PTX and the log are empty texts). */
#include "nvrtc_priv.h"

#include <stdlib.h>
#include <string.h>

static struct sw_handles programs = SW_HANDLES_INIT;

bool nvrtc_program_lives(const struct _nvrtcProgram *program)
{
    return sw_handles_has(&programs, program);
}

static char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(sw_xmalloc(bytes), text, bytes);
}

NVRTC_API nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count,
                             const char *const *headers, const char *const *include_names)
{
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || header_count < 0 || (header_count && (!headers || !include_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < header_count; i++)
        if (!headers[i] || !include_names[i]) return NVRTC_ERROR_INVALID_INPUT;
    struct _nvrtcProgram *made = sw_xcalloc(1, sizeof *made);
    made->source.name = copy_text(name && *name ? name : "default_program");
    made->source.text = copy_text(source);
    made->header_count = (uint32_t)header_count;
    made->headers = sw_xcalloc((size_t)header_count + 1, sizeof *made->headers);
    for (int i = 0; i < header_count; i++)
        made->headers[i] = (struct toolchain_text){copy_text(include_names[i]), copy_text(headers[i])};
    sw_handles_add(&programs, made);
    *program = made;
    return NVRTC_SUCCESS;
}

static void free_text(const struct toolchain_text *text)
{
    free((char *)(uintptr_t)text->name);
    free((char *)(uintptr_t)text->text);
}

NVRTC_API nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !sw_handles_remove(&programs, *program)) return NVRTC_ERROR_INVALID_PROGRAM;
    struct _nvrtcProgram *p = *program;
    *program = NULL;
    nvrtc_names_forget(p);
    for (size_t i = 0; i < p->expressions.count; i++)
        free(p->expressions.at[i].text);
    vec_release(&p->expressions);
    for (uint32_t i = 0; i < p->header_count; i++)
        free_text(&p->headers[i]);
    free(p->headers);
    free_text(&p->source);
    struct str *texts[] = {&p->log, &p->ptx, &p->cubin, &p->lto};
    for (size_t i = 0; i < SW_COUNT_OF(texts); i++)
        str_release(texts[i]);
    free(p);
    return NVRTC_SUCCESS;
}

NVRTC_API nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *, void *), void *payload)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!callback) return NVRTC_ERROR_INVALID_INPUT;
    program->callback = callback;
    program->payload = payload;
    return NVRTC_SUCCESS;
}

/* ---- names */

NVRTC_API nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return NVRTC_ERROR_INVALID_INPUT;
    if (program->tried) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    for (size_t i = 0; i < program->expressions.count; i++)
        if (strcmp(program->expressions.at[i].text, expression) == 0) return NVRTC_SUCCESS;
    *vec_push(&program->expressions) = (struct nvrtc_expression){.text = copy_text(expression)};
    return NVRTC_SUCCESS;
}

NVRTC_API nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !lowered) return NVRTC_ERROR_INVALID_INPUT;
    if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < program->expressions.count; i++) {
        if (strcmp(program->expressions.at[i].text, expression) != 0) continue;
        *lowered = program->expressions.at[i].lowered;
        return NVRTC_SUCCESS;
    }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- results */

static nvrtcResult size_of(const struct _nvrtcProgram *program, const struct str *text, bool is_text,
                           size_t *bytes)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
    *bytes = text->length + is_text;
    return NVRTC_SUCCESS;
}

static nvrtcResult copy_of(const struct _nvrtcProgram *program, const struct str *text, bool is_text,
                           char *out)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out) return NVRTC_ERROR_INVALID_INPUT;
    memcpy(out, str_text(text), text->length + is_text);
    return NVRTC_SUCCESS;
}

#define RESULT(function, member, is_text)                                                                    \
    NVRTC_API function##Size(nvrtcProgram program, size_t *bytes)                                            \
    {                                                                                                        \
        return size_of(program, program ? &program->member : NULL, is_text, bytes);                          \
    }                                                                                                        \
    NVRTC_API function(nvrtcProgram program, char *out)                                                      \
    {                                                                                                        \
        return copy_of(program, program ? &program->member : NULL, is_text, out);                            \
    }
RESULT(nvrtcGetProgramLog, log, true)
RESULT(nvrtcGetPTX, ptx, true)
RESULT(nvrtcGetCUBIN, cubin, false)
RESULT(nvrtcGetLTOIR, lto, false)
#undef RESULT

/* It is never made. */
NVRTC_API nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *bytes)
{
    static const struct str nothing;
    return size_of(program, &nothing, false, bytes);
}

NVRTC_API nvrtcGetOptiXIR(nvrtcProgram program, char *ir)
{
    static const struct str nothing;
    return copy_of(program, &nothing, false, ir);
}
