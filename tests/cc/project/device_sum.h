/* The sum of 1 .. n, added up on the device. */
int device_sum(int n);
