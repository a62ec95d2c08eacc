#ifndef CARDFEED_TERMINAL_WATCH_H
#define CARDFEED_TERMINAL_WATCH_H

// What a program that draws on a terminal needs of signals. A signal's handler can only reach what is
// static, and must do nothing but a few calls that are safe in it, so this part is in C. Only
// CardFeedTerminal calls it; it knows nothing of cards and of drawing.

#include <stddef.h>
#include <termios.h>

/// Turns the signals SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGQUIT, SIGTERM and SIGHUP into bytes, their
/// numbers, that can be read from `*reading`. If the process dies of a fault meanwhile, `farewell`
/// is written to the terminal and its modes become `modes`, before the fault goes its way. One watch
/// at a time: EBUSY for a second one. At most 128 bytes of farewell. Returns 0, or the number of an
/// error.
int cf_terminal_watch(
    int terminal, const struct termios *modes, const unsigned char *farewell, size_t length,
    int *reading);

/// Gives the signals back, and closes the descriptor.
void cf_terminal_unwatch(void);

/// Stops the process and its group, as Ctrl-Z does, and returns when it goes on.
void cf_terminal_stop(void);

/// A pipe whose ends block nobody and that no other program inherits. Returns 0, or the number of an
/// error.
int cf_terminal_pipe(int *reading, int *writing);

#endif
