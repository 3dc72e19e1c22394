/* SPDX-License-Identifier: Apache-2.0 */
/* Our JSON, schema softwarp-profile/1 (docs/report-schema.md), with libjansson. */
#include "compare_priv.h"

#include <jansson.h>
#include <string.h>

static const char SCHEMA[] = "softwarp-profile/1";

static void add_launch(struct compare_report *out, const json_t *launch)
{
    const char *name = json_string_value(json_object_get(launch, "kernel")), *key;
    json_t *metrics = json_object_get(launch, "metrics"), *metric;
    if (!name) return;
    struct compare_kernel *kernel = compare_kernel_of(out, name);
    kernel->launches++;
    json_object_foreach(metrics, key, metric)
    {
        const json_t *value = json_object_get(metric, "value");
        if (json_is_number(value)) compare_add(out, kernel, key, "", json_number_value(value));
    }
}

enum sw_status compare_read_json(const char *path, const char *text, size_t bytes, struct compare_report *out,
                                 struct sw_error *error)
{
    json_error_t why;
    json_t *root = json_loadb(text, bytes, 0, &why), *launch;
    if (!root)
        return sw_fail(error, SW_INVALID_VALUE, "'%s' is not JSON: %s (line %d)", path, why.text, why.line);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    enum sw_status status = SW_OK;
    size_t i;
    if (!schema || strcmp(schema, SCHEMA) != 0)
        status = sw_fail(error, SW_INVALID_VALUE, "'%s' is not a report: its schema is '%s', not %s", path,
                         schema ? schema : "", SCHEMA);
    else
        json_array_foreach(json_object_get(root, "launches"), i, launch) add_launch(out, launch);
    json_decref(root);
    return status;
}
