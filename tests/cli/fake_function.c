/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for later libraries, with functions that none has today. */
int cublasOfTomorrow(void);
int cublasXtOfTomorrow(void);
int cusolverDnOfTomorrow(void);
int cublasOfTomorrow(void)
{
    return 0;
}

int cublasXtOfTomorrow(void)
{
    return 0;
}

int cusolverDnOfTomorrow(void)
{
    return 0;
}
