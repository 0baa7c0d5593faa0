/// Files that are there as a whole or not at all.
@NullMarked
package dev.berth.node.file;

import org.jspecify.annotations.NullMarked;
