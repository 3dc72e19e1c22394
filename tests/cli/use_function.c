/* SPDX-License-Identifier: Apache-2.0 */
/* A program built with fake_function.c's library. */
int cublasOfTomorrow(void);
int cublasXtOfTomorrow(void);
int cusolverDnOfTomorrow(void);

int main(void)
{
    return cublasOfTomorrow() + cublasXtOfTomorrow() + cusolverDnOfTomorrow();
}
