/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's clock: is there one, and what a call costs by it. */
#include "driver_timeline.h"

bool driver_clock_is_virtual(void)
{
    return driver.tool && driver.tool->clock;
}

uint64_t driver_clock_cost(const struct driver_context *context, enum event_call call, uint64_t bytes)
{
    const struct event_clock *clock = driver.tool->clock;
    const struct driver_device *device = context ? context->device : &driver.devices[0];
    pthread_mutex_lock(&driver.tool_lock);
    uint64_t ns = clock->call(clock->user, device->gpu.origin, call, bytes);
    pthread_mutex_unlock(&driver.tool_lock);
    return ns;
}
