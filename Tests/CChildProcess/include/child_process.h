#ifndef CARDFEED_CHILD_PROCESS_H
#define CARDFEED_CHILD_PROCESS_H

// What tests need of the C library to start a program that inherits nothing but its three standard
// streams, and to know what a terminal would do. Swift's view of the library leaves these functions out.

#include <sys/types.h>

/// Starts the program `words[0]`, looked for on the path, in a process group of its own. `words` ends
/// with null. A descriptor below 0 stands for /dev/null, a null folder for the current one. Returns
/// 0, or the number of an error.
int cf_child_start(char *const words[], const char *folder, int input, int output, pid_t *child);

/// A pipe that no child inherits unless it is given it. Returns 0, or the number of an error.
int cf_child_pipe(int *reading, int *writing);

/// A pseudo-terminal: the end of the person and the end of the program, neither of which a child
/// inherits unless it is given it. Returns 0, or the number of an error.
int cf_child_terminal(int *person, int *program);

/// The columns of the characters from 0 on by the C library's table for UTF-8; below 0 if it does not
/// know one. Returns 0, or the number of an error if it has no such table.
int cf_character_columns(signed char *columns, int count);

#endif
