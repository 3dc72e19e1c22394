/* SPDX-License-Identifier: Apache-2.0 */
/* cudaCreateChannelDesc<T>(): the channel format of a vector type. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus
namespace softwarp
{
/* Elements, bits of an element and kind of each type that a texture can hold. */
template <typename T> struct channel;
#define SW_CHANNEL_(type, count, bytes, kind_)                                                               \
    template <> struct channel<type> {                                                                       \
        static constexpr int elements = count, bits = 8 * (bytes);                                           \
        static constexpr cudaChannelFormatKind kind = cudaChannelFormatKind##kind_;                          \
    };
#define SW_CHANNELS_(name, scalar, kind)                                                                     \
    SW_CHANNEL_(scalar, 1, sizeof(scalar), kind)                                                             \
    SW_CHANNEL_(name##1, 1, sizeof(scalar), kind)                                                            \
    SW_CHANNEL_(name##2, 2, sizeof(scalar), kind)                                                            \
    SW_CHANNEL_(name##4, 4, sizeof(scalar), kind)
SW_CHANNEL_(char, 1, 1, Signed)
SW_CHANNELS_(char, signed char, Signed)
SW_CHANNELS_(uchar, unsigned char, Unsigned)
SW_CHANNELS_(short, short, Signed)
SW_CHANNELS_(ushort, unsigned short, Unsigned)
SW_CHANNELS_(int, int, Signed)
SW_CHANNELS_(uint, unsigned int, Unsigned)
SW_CHANNELS_(float, float, Float)
#undef SW_CHANNELS_
#undef SW_CHANNEL_
} // namespace softwarp

template <typename T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    using format = softwarp::channel<T>;
    constexpr int bits = format::bits, n = format::elements;
    return ::cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, format::kind);
}
#endif
#endif
