#include <cuda.h>
#include <cuda_runtime.h>

#include "device_sum.h"

int main()
{
    int version = 0;
    if (cuDriverGetVersion(&version) != CUDA_SUCCESS || version < 12000) return 2;
    return device_sum(100) == 5050 ? 0 : 1;
}
