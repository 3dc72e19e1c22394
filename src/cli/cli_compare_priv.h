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
#endif
