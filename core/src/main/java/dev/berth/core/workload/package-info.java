/// How many pods a replica set, a job or a deployment should have, and which have to go.
@NullMarked
package dev.berth.core.workload;

import org.jspecify.annotations.NullMarked;
