/* SPDX-License-Identifier: Apache-2.0 */
/* __match_any_sync and __match_all_sync of every type, over the four functions that clang's header defines just before it
 * includes this one. PTX ISA, "match.sync". */
#ifndef __SM_70_RT_HPP__
#define __SM_70_RT_HPP__

/* clang-format off: one line a type */
#define SW_MATCH_(type, width, bits)                                                                         \
    static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask, type value)           \
    {                                                                                                        \
        return __match##width##_any_sync(mask, bits);                                                        \
    }                                                                                                        \
    static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask, type value, int *equal) \
    {                                                                                                        \
        return __match##width##_all_sync(mask, bits, equal);                                                 \
    }
SW_MATCH_(int, 32, (unsigned int)value)
SW_MATCH_(unsigned int, 32, value)
SW_MATCH_(long, 64, (unsigned long long)value)
SW_MATCH_(unsigned long, 64, value)
SW_MATCH_(long long, 64, (unsigned long long)value)
SW_MATCH_(unsigned long long, 64, value)
SW_MATCH_(float, 32, __float_as_uint(value))
SW_MATCH_(double, 64, (unsigned long long)__double_as_longlong(value))
#undef SW_MATCH_
/* clang-format on */
#endif
