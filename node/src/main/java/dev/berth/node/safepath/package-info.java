/// File operations below directories that containers can write.
///
/// A container can replace any directory of its volumes by a symbolic link, also between a check
/// and the operation that follows it. Paths below a volume are therefore not given to `java.nio`: a
/// directory is opened once, and entries are addressed by descriptor and name. Names are never
/// followed when they are links. The one operation that takes a path, [SafeDirectory#resolve],
/// follows links only as long as they stay below the directory.
///
/// Unstable.
@NullMarked
package dev.berth.node.safepath;

import org.jspecify.annotations.NullMarked;
