#ifndef CARDFEED_CHILD_PROCESS_H
#define CARDFEED_CHILD_PROCESS_H

// What tests need of the C library to start a program that inherits nothing but its three standard
// streams. Swift's view of the library leaves these functions out.

#include <sys/types.h>

/// Starts the program `words[0]`, looked for on the path, in a process group of its own. `words` ends
/// with null. A descriptor below 0 stands for /dev/null, a null folder for the current one. Returns
/// 0, or the number of an error.
int cf_child_start(char *const words[], const char *folder, int input, int output, pid_t *child);

/// A pipe that no child inherits unless it is given it. Returns 0, or the number of an error.
int cf_child_pipe(int *reading, int *writing);

#endif
