#include "a.h"
#if A
__device__ void f() { k<2> << <1, dim3(2), 0>> >(3); }
#else
static __shared__ alignas(16) int s[4]; const char *t = R"x(a)x"; // 1 \
 /* 2 */
#endif
-Xptxas="-v,-O3" -Wl,a,b 'c d'
