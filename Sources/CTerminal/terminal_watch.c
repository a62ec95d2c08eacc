#define _GNU_SOURCE
#include "terminal_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int told[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
enum { told_count = sizeof told / sizeof *told, fault_count = sizeof faults / sizeof *faults };

static struct sigaction told_before[told_count];
static struct sigaction faults_before[fault_count];
static int ends[2] = {-1, -1};
static int watched = -1;
static struct termios modes_before;
static unsigned char last_words[128];
static size_t last_words_length;

static void tell(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe holds enough to wake the reader.
  ssize_t ignored = write(ends[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

static void restore_and_pass_on(int number) {
  int saved = errno;
  ssize_t ignored = write(watched, last_words, last_words_length);
  (void)ignored;
  tcsetattr(watched, TCSANOW, &modes_before);
  for (int index = 0; index < fault_count; index++) {
    if (faults[index] == number) sigaction(number, &faults_before[index], NULL);
  }
  // Back at the same instruction the fault happens again, and meets who was there before.
  errno = saved;
}

static void listen_to(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, before);
}

int cf_terminal_watch(
    int terminal, const struct termios *modes, const unsigned char *farewell, size_t length,
    int *reading) {
  if (watched >= 0) return EBUSY;
  if (length > sizeof last_words) return EINVAL;
  int status = cf_terminal_pipe(&ends[0], &ends[1]);
  if (status != 0) return status;
  watched = terminal;
  modes_before = *modes;
  memcpy(last_words, farewell, length);
  last_words_length = length;
  for (int index = 0; index < fault_count; index++) {
    listen_to(faults[index], restore_and_pass_on, &faults_before[index]);
  }
  for (int index = 0; index < told_count; index++) {
    listen_to(told[index], tell, &told_before[index]);
  }
  *reading = ends[0];
  return 0;
}

void cf_terminal_unwatch(void) {
  if (watched < 0) return;
  for (int index = 0; index < told_count; index++) {
    sigaction(told[index], &told_before[index], NULL);
  }
  for (int index = 0; index < fault_count; index++) {
    sigaction(faults[index], &faults_before[index], NULL);
  }
  close(ends[0]);
  close(ends[1]);
  ends[0] = ends[1] = -1;
  watched = -1;
}

void cf_terminal_stop(void) {
  struct sigaction before;
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigemptyset(&plain.sa_mask);
  sigaction(SIGTSTP, &plain, &before);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}

int cf_terminal_pipe(int *reading, int *writing) {
  int made[2];
  if (pipe2(made, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
  *reading = made[0];
  *writing = made[1];
  return 0;
}
