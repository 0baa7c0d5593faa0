/// The life of claims, pods, nodes and pools after they were asked for: what has to be made, given
/// back, evicted or deleted, as commands. Loops carry them out.
@NullMarked
package dev.berth.core.lifecycle;

import org.jspecify.annotations.NullMarked;
