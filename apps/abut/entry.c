/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program abut begins; abut-mpi begins elsewhere with the same commands. */
#include "cli.h"

int main(int argc, char **argv) { cli_end(cli_main(argc, argv)); }
