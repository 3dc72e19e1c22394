/* SPDX-License-Identifier: Apache-2.0 */
/* A tool library that asks for ACCESS probes and only adds up what it is handed: what recording costs,
 * without a model. run.sh puts it beside links to Softwarp's libraries, whose driver loads it as the
 * session's tools. */
#include "event/event_counter.h"
#include "event/event_launch.h"
#include "event/event_request.h"
#include "event/event_tool.h"
#include "model/access/model_access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t requests, lines, turns;

static bool begin(void *user, const struct event_launch *launch, const struct event_residency *residency,
                  uint32_t *sample_shift)
{
    (void)user, (void)launch, (void)residency, (void)sample_shift;
    return true;
}

static uint32_t round(void *user, const struct event_launch *launch, const struct event_round *round)
{
    (void)user, (void)launch;
    turns++;
    for (uint32_t i = 0; i < round->count; i++) {
        const struct event_stream *s = &round->streams[i];
        requests += s->request_count;
        for (uint32_t r = 0; r < s->request_count; r++)
            lines += s->requests[r].lines;
    }
    return 0;
}

static void finish(void *user)
{
    (void)user;
    fprintf(stderr, "%" PRIu64 " requests of %" PRIu64 " lines in %" PRIu64 " turns\n", requests, lines,
            turns);
}

static const struct event_tool recorder = {
    .probes = EVENT_PROBE_COUNT | EVENT_PROBE_ACCESS,
    .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4},
    .count = {model_count_global, model_count_local, model_count_shared},
    .any_target = true,
    .detail_begin = begin,
    .detail_round = round,
    .finish = finish};

const struct event_tool *softwarp_tool_open(const char *session_dir, const char *gpu);
const struct event_tool *softwarp_tool_open(const char *session_dir, const char *gpu)
{
    (void)session_dir, (void)gpu;
    return &recorder;
}
