/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp ptxas: all arguments are ptxas', which prints its own help and errors. */
#include "cli_priv.h"

#include "toolchain/toolchain.h"

int cmd_ptxas(const struct cli_command *self, int argc, char **argv)
{
    (void)self;
    return toolchain_ptxas_main(argc, argv);
}
