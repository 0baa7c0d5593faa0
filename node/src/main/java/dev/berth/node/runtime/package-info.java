/// The port to whatever runs containers on this machine.
@NullMarked
package dev.berth.node.runtime;

import org.jspecify.annotations.NullMarked;
