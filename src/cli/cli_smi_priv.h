/* SPDX-License-Identifier: Apache-2.0 */
/* cli: what the files of `softwarp smi` share. */
#ifndef CLI_SMI_PRIV_H
#define CLI_SMI_PRIV_H

#include "cli_priv.h"

#include <nvml.h>

struct smi_gpu {
    nvmlDevice_t device;
    unsigned index; /* in the machine */
};
struct smi {
    struct smi_gpu gpus[64]; /* those asked for, in the machine's order */
    unsigned count, attached;
};

/* ---- fields by name (cli_smi_fields.c) */
struct smi_field;
const struct smi_field *smi_field_find(const char *name, bool of_process);
const char *smi_field_title(const struct smi_field *field); /* the first of its names */
const char *smi_field_unit(const struct smi_field *field);  /* "": none */
/* Its value without unit; false: not available. */
bool smi_field_value(const struct smi_field *field, const struct smi_gpu *gpu,
                     const nvmlProcessInfo_t *process, struct str *out);
const struct smi_field *smi_report_field(const char *name); /* those of the long report too */
void smi_fields_list(bool of_process, struct str *out);

/* Comma-separated rows. */
struct smi_query {
    const char *fields; /* "name,memory.used" */
    bool of_process, header, units;
};
bool smi_query_check(const struct smi_query *query, struct str *out); /* false: says which field is none */
int smi_query(const struct smi *smi, const struct smi_query *query, struct str *out); /* exit code */

/* ---- the long report (cli_smi_log.c) */
bool smi_sections_parse(const char *names, unsigned *sections); /* "MEMORY,POWER" */
void smi_log(const struct smi *smi, unsigned sections, struct str *out);
#define SMI_ALL_SECTIONS 0u

/* ---- the table (cli_smi_table.c) */
void smi_table(const struct smi *smi, struct str *out);
void smi_list(const struct smi *smi, struct str *out);
void smi_topology(const struct smi *smi, struct str *out);
unsigned smi_processes(const struct smi_gpu *gpu, nvmlProcessInfo_t list[256]);
#endif
