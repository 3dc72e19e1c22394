/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp cc: all arguments go to the compiler front end, which prints its own help and errors. */
#include "cli_priv.h"

#include "toolchain/toolchain.h"

int cmd_cc(const struct cli_command *self, int argc, char **argv)
{
    (void)self;
    return toolchain_cc_main(argc, argv);
}
