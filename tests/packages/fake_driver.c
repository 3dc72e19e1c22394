/* SPDX-License-Identifier: Apache-2.0 */
/* A libcuda.so.1 of somebody else's, as an installed driver is: its version says that it is this one. */
int cuDriverGetVersion(int *version);

int cuDriverGetVersion(int *version)
{
    *version = 4242;
    return 0;
}
