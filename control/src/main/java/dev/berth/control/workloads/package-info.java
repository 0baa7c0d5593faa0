/// Controllers of Deployments, ReplicaSets and Jobs.
@NullMarked
package dev.berth.control.workloads;

import org.jspecify.annotations.NullMarked;
