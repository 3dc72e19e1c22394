__device__ int weight = 1;
__device__ int part(int i) { return i * weight; }
