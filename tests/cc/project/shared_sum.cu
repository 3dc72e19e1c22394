#include "device_sum.h"

int shared_sum(int n) { return device_sum(n) + 1; }
