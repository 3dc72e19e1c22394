/* SPDX-License-Identifier: Apache-2.0 */
/* Our JSON, schema softwarp-profile/1 (docs/report-schema.md), with libjansson. */
#include "compare_priv.h"

#include "base/base_text.h"

#include <jansson.h>
#include <string.h>

static const char SCHEMA[] = "softwarp-profile/1";

static bool add_launch(struct compare_report *out, const json_t *launch)
{
    const char *name = json_string_value(json_object_get(launch, "kernel")), *key;
    const char *state = json_string_value(json_object_get(launch, "status"));
    json_t *metrics = json_object_get(launch, "metrics"), *metric;
    if (!name) return false;
    struct compare_kernel *kernel = compare_kernel_of(out, name);
    kernel->launches++;
    if (state && strcmp(state, "ok") != 0) compare_add_failed(out, kernel, 1, state);
    json_object_foreach(metrics, key, metric)
    {
        const json_t *value = json_object_get(metric, "value");
        if (json_is_number(value)) compare_add(out, kernel, key, "", json_number_value(value));
    }
    return true;
}

/* Members that reports of earlier versions lack. */
static void add_ends(struct compare_report *out, const json_t *root)
{
    json_int_t exit_status = json_integer_value(json_object_get(root, "exit_status"));
    json_t *process;
    size_t i;
    json_array_foreach(json_object_get(root, "processes"), i, process)
    {
        const char *name = json_string_value(json_object_get(process, "process"));
        if (json_is_false(json_object_get(process, "finished")))
            compare_add_failure(
                out, _("process %zu (%s) ended abnormally: its last operations may not be recorded"), i,
                name ? name : "");
    }
    if (exit_status)
        compare_add_failure(out, _("the program ended with exit status %lld"), (long long)exit_status);
}

static enum sw_status add_launches(const char *path, const json_t *root, struct compare_report *out,
                                   struct sw_error *error)
{
    const json_t *launches = json_object_get(root, "launches");
    json_t *launch;
    size_t i;
    if (!json_is_array(launches))
        return sw_fail(error, SW_INVALID_VALUE,
                       "'%s' has no array 'launches': write it again with softwarp profile --json", path);
    json_array_foreach(launches, i, launch)
    {
        if (!add_launch(out, launch))
            return sw_fail(error, SW_INVALID_VALUE, "'%s' does not name the kernel of launch %zu", path, i);
    }
    return SW_OK;
}

enum sw_status compare_read_json(const char *path, const char *text, size_t bytes, struct compare_report *out,
                                 struct sw_error *error)
{
    json_error_t why;
    json_t *root = json_loadb(text, bytes, 0, &why);
    if (!root)
        return sw_fail(error, SW_INVALID_VALUE,
                       "'%s' is not JSON, or was cut off: %s (line %d); write it again with softwarp profile "
                       "--json",
                       path, why.text, why.line);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    enum sw_status status;
    if (!schema || strcmp(schema, SCHEMA) != 0)
        status = sw_fail(error, SW_INVALID_VALUE, "'%s' is not a report: its schema is '%s', not %s", path,
                         schema ? schema : "", SCHEMA);
    else
        status = add_launches(path, root, out, error);
    if (status == SW_OK) add_ends(out, root);
    json_decref(root);
    return status;
}
