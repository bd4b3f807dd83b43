#include "reproduce.h"
int reproduce_volumetric(const CliCommand *command, const ReproduceArgs *args){(void)command;(void)args;return 0;}
