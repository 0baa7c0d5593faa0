/// Store in an etcd cluster, by gRPC.
@NullMarked
package dev.berth.server.store.etcd;

import org.jspecify.annotations.NullMarked;
