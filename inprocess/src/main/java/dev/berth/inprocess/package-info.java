/// Adapter of the port `Cluster` to an API server in the same process.
@NullMarked
package dev.berth.inprocess;

import org.jspecify.annotations.NullMarked;
