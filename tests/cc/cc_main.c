/* SPDX-License-Identifier: Apache-2.0 */
/* `softwarp cc` as a program of its own, so that the tests of this folder do not wait for the command line.
 */
#include "toolchain/toolchain.h"

int main(int argc, char **argv)
{
    return toolchain_cc_main(argc, argv);
}
