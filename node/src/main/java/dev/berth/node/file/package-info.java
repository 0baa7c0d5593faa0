/// Atomic files and private directories.
@NullMarked
package dev.berth.node.file;

import org.jspecify.annotations.NullMarked;
