/// Log files of containers, and their rotation.
@NullMarked
package dev.berth.node.logs;

import org.jspecify.annotations.NullMarked;
