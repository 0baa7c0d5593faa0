/// Input of `plan`, `explain` and `inventory`: cluster and workload from files or from a running
/// cluster.
@NullMarked
package dev.berth.app.cluster;

import org.jspecify.annotations.NullMarked;
