/// Nodes.
@NullMarked
package dev.berth.model.api.node;

import org.jspecify.annotations.NullMarked;
