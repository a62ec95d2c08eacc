#ifndef CARDFEED_CMICROHTTPD_SHIM_H
#define CARDFEED_CMICROHTTPD_SHIM_H

// libmicrohttpd of the system, as a module. Only CardFeedHTTP imports it; everything it needs of the
// library's C interface comes through here. What is defined here wraps functions with a variable
// number of arguments, which Swift cannot call.

#include <microhttpd.h>

/// A daemon without a socket that it listens on: connections are handed to it. Null if it is refused.
static inline struct MHD_Daemon *cardfeed_mhd_start(
  unsigned int threads, unsigned int connections, size_t memory, MHD_AccessHandlerCallback access,
  void *(*target)(void *, const char *, struct MHD_Connection *),
  size_t (*unescape)(void *, struct MHD_Connection *, char *),
  MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connection,
  MHD_LogCallback log, void *context) {
  return MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET |
      MHD_USE_ERROR_LOG,
    0, NULL, NULL, access, context, MHD_OPTION_EXTERNAL_LOGGER, log, context,
    MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_LIMIT,
    connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_URI_LOG_CALLBACK, target,
    context, MHD_OPTION_UNESCAPE_CALLBACK, unescape, context, MHD_OPTION_NOTIFY_COMPLETED,
    completed, context, MHD_OPTION_NOTIFY_CONNECTION, connection, context, MHD_OPTION_END);
}

/// What was set when the connection began.
static inline void *cardfeed_mhd_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// Its file descriptor, or -1.
static inline int cardfeed_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// Its client, or null.
static inline const struct sockaddr *cardfeed_mhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/// The bytes of the head of its request, blank line included; 0 before the head was read.
static inline size_t cardfeed_mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// Has an answer of unknown length end with the connection, without chunks.
static inline void cardfeed_mhd_without_chunks(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

#endif
