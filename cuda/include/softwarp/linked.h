/* SPDX-License-Identifier: Apache-2.0 */
/* Separate compilation (-rdc=true): what every object of a program has, of which the linker keeps one. The
 * objects' device code becomes one fat binary with several parts, as nvcc's link step makes it; the driver
 * links the parts when the first of its kernels is needed. `softwarp cc` gives clang's call for each object
 * this function's name (toolchain_rdc.c). */
#ifndef SOFTWARP_LINKED_H
#define SOFTWARP_LINKED_H
#pragma clang system_header

extern "C" {
struct softwarp_linked_wrapper {
    int magic, version;
    const void *data;
    const void **parts; /* NULL ends them */
};
void **__cudaRegisterFatBinary(void *wrapper);

#define SOFTWARP_ONCE __attribute__((weak, visibility("hidden")))
SOFTWARP_ONCE struct softwarp_linked_wrapper __softwarpLinked = {0x466243b1, 2, 0, 0};
SOFTWARP_ONCE void **__softwarpLinkedHandle = 0;
SOFTWARP_ONCE unsigned long __softwarpLinkedCount = 0;

SOFTWARP_ONCE void __softwarpRegisterLinked(void (*globals)(void **), struct softwarp_linked_wrapper *object,
                                            const char *id, void (*unused)(void **))
{
    (void)id, (void)unused;
    const void **parts =
        (const void **)realloc(__softwarpLinked.parts, (__softwarpLinkedCount + 2) * sizeof(const void *));
    if (!parts) abort();
    parts[__softwarpLinkedCount++] = object->data;
    parts[__softwarpLinkedCount] = 0;
    __softwarpLinked.parts = parts;
    if (!__softwarpLinkedHandle) {
        __softwarpLinked.data = object->data;
        __softwarpLinkedHandle = __cudaRegisterFatBinary(&__softwarpLinked);
    }
    globals(__softwarpLinkedHandle);
}
#undef SOFTWARP_ONCE
}

#ifdef SOFTWARP_DEVICE_SYMBOLS /* the file that our fatbinary wrote for this object */
__asm__(".include \"" SOFTWARP_DEVICE_SYMBOLS "\"");
#endif
#endif
