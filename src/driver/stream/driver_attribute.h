/* SPDX-License-Identifier: Apache-2.0 */
/* driver: attributes of launches, kernel nodes and streams (driver_attribute.c). */
#ifndef DRIVER_ATTRIBUTE_H
#define DRIVER_ATTRIBUTE_H

#include "driver/core/driver_queue.h"

enum driver_attribute_of { DRIVER_OF_LAUNCH = 1, DRIVER_OF_NODE = 2, DRIVER_OF_STREAM = 4 };
bool driver_attribute_is_of(CUlaunchAttributeID id, enum driver_attribute_of of);
/* Is there such an attribute of that, and may it have that value. */
CUresult driver_attribute_check(CUlaunchAttributeID id, const CUlaunchAttributeValue *value,
                                enum driver_attribute_of of, const struct driver_device *device);
void driver_attributes_set(struct driver_attributes *attributes, CUlaunchAttributeID id,
                           const CUlaunchAttributeValue *value);
/* What was set, or the default. */
CUlaunchAttributeValue driver_attributes_get(const struct driver_attributes *attributes,
                                             CUlaunchAttributeID id);
void driver_attributes_copy(struct driver_attributes *to, const struct driver_attributes *from);
void driver_attributes_release(struct driver_attributes *attributes);
#endif
