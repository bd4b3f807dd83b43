/* SPDX-License-Identifier: Apache-2.0 */
#include "abut/abut.h"
#include <stdio.h>
int main(void)
{
    puts("abut " ABUT_VERSION);
    return 0;
}
