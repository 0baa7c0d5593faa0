/// Decisions of the Deployment, ReplicaSet and Job controllers.
@NullMarked
package dev.berth.core.workload;

import org.jspecify.annotations.NullMarked;
