/// The way to the doors of nodes, which know what goes on inside their pods.
@NullMarked
package dev.berth.server.nodes;

import org.jspecify.annotations.NullMarked;
