/// A Kubernetes-compatible API server; see [dev.berth.server.ApiServer].
@NullMarked
package dev.berth.server;

import org.jspecify.annotations.NullMarked;
