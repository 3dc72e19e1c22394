/* SPDX-License-Identifier: Apache-2.0 */
/* Entry points by name, and those that are refused. driver_api.def is the one table; the library exports
 * exactly the names it lists.
 *
 * Every entry point is declared here without its parameters, so that one table can hold them all; this file
 * therefore does not see cuda.h. */
#include "driver_refuse_priv.h"

#include "base/base.h"

#include <string.h>

typedef void (*entry_fn)(void);

#define DONE(symbol, name, since) void symbol(void);
#define REFUSED(symbol, name, since)                                                                         \
    __attribute__((visibility("default"))) unsigned symbol(void);                                            \
    unsigned symbol(void)                                                                                    \
    {                                                                                                        \
        static int done;                                                                                     \
        return driver_refuse_entry(&done, #symbol);                                                          \
    }
#include "driver_api.def"
#undef DONE
#undef REFUSED

static const struct {
    const char *symbol, *name;
    int since;
    entry_fn entry;
} entries[] = {
#define DONE(symbol, name, since)    {#symbol, #name, since, symbol},
#define REFUSED(symbol, name, since) {#symbol, #name, since, (entry_fn)symbol},
#include "driver_api.def"
#undef DONE
#undef REFUSED
};

static bool is_per_thread(const char *symbol)
{
    return sw_ends_with(symbol, "_ptsz") || sw_ends_with(symbol, "_ptds");
}

void *driver_proc_find(const char *name, int version, bool per_thread, bool *known)
{
    size_t best = SIZE_MAX;
    bool forms = false;
    *known = false;
    for (size_t i = 0; per_thread && i < SW_COUNT_OF(entries);
         i++) /* where there is such a form, no other does */
        forms |= strcmp(entries[i].name, name) == 0 && is_per_thread(entries[i].symbol);
    for (size_t i = 0; i < SW_COUNT_OF(entries); i++) {
        if (strcmp(entries[i].name, name) != 0) continue;
        *known = true;
        bool mine = is_per_thread(entries[i].symbol);
        if (entries[i].since > version || mine != forms) continue;
        bool newer = best == SIZE_MAX || entries[i].since > entries[best].since ||
                     (entries[i].since == entries[best].since &&
                      strlen(entries[i].symbol) > strlen(entries[best].symbol));
        if (newer) best = i;
    }
    if (best == SIZE_MAX) return NULL;
    void *address;
    memcpy(&address, &entries[best].entry, sizeof address);
    return address;
}
