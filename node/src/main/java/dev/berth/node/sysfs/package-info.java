/// What Linux tells of a machine's hardware under `/sys`.
///
/// Stable: what is public here changes only with a new major version.
@NullMarked
package dev.berth.node.sysfs;

import org.jspecify.annotations.NullMarked;
