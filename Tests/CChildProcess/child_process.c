#define _GNU_SOURCE
#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

extern char **environ;

static int lead(posix_spawn_file_actions_t *actions, int from, int to) {
  if (from < 0) return posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0);
  return posix_spawn_file_actions_adddup2(actions, from, to);
}

int cf_child_start(char *const words[], const char *folder, int input, int output, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int status = posix_spawn_file_actions_init(&actions);
  if (status != 0) return status;
  status = posix_spawnattr_init(&attributes);
  if (status != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return status;
  }
  if (status == 0) status = lead(&actions, input, STDIN_FILENO);
  if (status == 0) status = lead(&actions, output, STDOUT_FILENO);
  if (status == 0) status = lead(&actions, -1, STDERR_FILENO);
  if (status == 0) status = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  if (status == 0 && folder != NULL) {
    status = posix_spawn_file_actions_addchdir_np(&actions, folder);
  }
  // An interrupt at the terminal reaches the tests only, which end their servers themselves.
  if (status == 0) status = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  if (status == 0) status = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

int cf_child_pipe(int *reading, int *writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  *reading = ends[0];
  *writing = ends[1];
  return 0;
}

int cf_child_terminal(int *person, int *program) {
  char name[64];
  int near = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (near < 0) return errno;
  int status = grantpt(near) != 0 || unlockpt(near) != 0 ? errno : 0;
  if (status == 0) status = ptsname_r(near, name, sizeof name);
  int far = status == 0 ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  if (status == 0 && far < 0) status = errno;
  if (status != 0) {
    close(near);
    return status;
  }
  *person = near;
  *program = far;
  return 0;
}

int cf_character_columns(signed char *columns, int count) {
  locale_t table = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
  if (table == NULL) return errno;
  locale_t before = uselocale(table);
  for (int index = 0; index < count; index++) columns[index] = (signed char)wcwidth((wchar_t)index);
  uselocale(before);
  freelocale(table);
  return 0;
}
