/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp compare: what cmd_compare.c judged, written by cli_compare.c. */
#ifndef CLI_COMPARE_PRIV_H
#define CLI_COMPARE_PRIV_H

#include "cli_priv.h"

#include "compare/compare.h"

struct cli_compare {
    const struct compare_judgement *judgement;
    const struct compare_rows *rows;
    bool all; /* also rows that are as they were */
};
/* The verdict first, then why, then the rows. */
void cli_compare_text(const struct cli_compare *compare, struct str *out);
void cli_compare_csv(const struct cli_compare *compare, struct str *out);
void cli_compare_json(const struct cli_compare *compare, struct str *out);
/* The verdict and why, on standard error; nothing where there is no gate and nothing is wrong. */
void cli_compare_say(const struct cli_compare *compare);

/* ---- cli_compare_ci.c: for services that show it beside a change */
void cli_compare_markdown(const struct cli_compare *compare, struct str *out);
void cli_compare_junit(const struct cli_compare *compare, struct str *out);
/* ---- what both files say: which gate failed; why the verdict is what it is, a line at a time to `say` */
void cli_compare_failed_gate(const struct compare_check *check, struct str *out);
void cli_compare_reasons(const struct compare_judgement *judgement, void (*say)(const char *line, void *user),
                         void *user);
#endif
