/* SPDX-License-Identifier: Apache-2.0 */
/* A program built with fake_function.c's library. */
int cublasOfTomorrow(void);

int main(void)
{
    return cublasOfTomorrow();
}
