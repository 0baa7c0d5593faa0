/// Object store of the API server: bytes by key, a global revision per change, lists of recent
/// revisions and watches, with the semantics of etcd. [Store] is the interface; `store.sqlite`
/// keeps objects in a file, `store.etcd` in an etcd cluster, [MemoryStore] in memory only. All of
/// them serve reads and watches from a [History]. The package knows bytes, not kinds.
@NullMarked
package dev.berth.server.store;

import org.jspecify.annotations.NullMarked;
