/// `berth node`: this machine as a node of a cluster.
@NullMarked
package dev.berth.app.node;

import org.jspecify.annotations.NullMarked;
