/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program abut begins; abut-mpi begins elsewhere with the same commands. */
#include "cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
