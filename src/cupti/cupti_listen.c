/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what the driver tells goes to records and callbacks. Method: the listener is known to
 * cupti_driver.c from when the library is loaded. Limits: calls without a number in CUPTI's tables are not
 * told. */
#include "cupti_priv.h"

static void listen_call_begins(const struct event_activity_call *call)
{
    if (cupti_inside) return;
    uint32_t number = cupti_number((enum event_activity_api)call->api, call->function);
    if (!number) return;
    cupti_record_call_begins(call, number);
    cupti_callback_begin(call, number);
}

static void listen_call_ends(const struct event_activity_call *call)
{
    if (cupti_inside) return;
    uint32_t number = cupti_number((enum event_activity_api)call->api, call->function);
    if (!number) return;
    cupti_callback_end(call, number);
    cupti_record_call_ends(call, number);
    cupti_buffer_relieve();
}

__attribute__((constructor)) static void listen_define(void)
{
    static const struct event_activity_listener LISTENER = {.call_begins = listen_call_begins,
                                                            .call_ends = listen_call_ends,
                                                            .operation = cupti_record_operation,
                                                            .launch = cupti_record_launch};
    cupti_listener = &LISTENER;
}
