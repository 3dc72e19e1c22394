/* SPDX-License-Identifier: Apache-2.0 */
/* usage: exhaust_steps_once [ROUNDS]     The steps of exhaust_steps.c, so often; says "right" at the end. */
#include "exhaust_steps.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    for (int r = 0; r < rounds; r++) {
        for (unsigned i = 0; i < steps_count; i++) {
            CUresult result = steps_all[i].run(steps_state());
            if (!result) continue;
            printf("%s gives %d\n", steps_all[i].name, (int)result);
            return 1;
        }
        if (r + 1 < rounds) steps_reset();
    }
    puts("right");
    return 0;
}
