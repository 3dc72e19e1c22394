/* SPDX-License-Identifier: Apache-2.0 */
/* The groups by name. Each group runs in a process of its own, so that a fault in one does not end the
 * others. */
#include "textures.h"

#include <stddef.h>

const struct group groups[] = {{"filter", group_filter},
                               {"address", group_address},
                               {"formats", group_formats},
                               {"integers", group_integers},
                               {"layers", group_layers},
                               {"cubes", group_cubes},
                               {"levels", group_levels},
                               {"gradients", group_gradients},
                               {"slopes", group_slopes},
                               {"borders", group_borders},
                               {"gather", group_gather},
                               {"offsets", group_offsets},
                               {"queries", group_queries},
                               {"surfaces", group_surfaces},
                               {"views", group_views},
                               {"references", group_references},
                               {"samplers", group_samplers},
                               {"answers", group_answers},
                               {NULL, NULL}};
