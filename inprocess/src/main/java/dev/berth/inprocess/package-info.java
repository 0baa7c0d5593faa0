/// Adapter of the port `Cluster` to an API server in the same process.
@NullMarked
package dev.berth.app.embedded;

import org.jspecify.annotations.NullMarked;
