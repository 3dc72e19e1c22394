/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for a later cuBLAS, with a function that none has today. */
int cublasOfTomorrow(void);
int cublasOfTomorrow(void)
{
    return 0;
}
