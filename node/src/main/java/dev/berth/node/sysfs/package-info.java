/// Hardware information of Linux under `/sys`.
///
/// Stable: public types change only with a new major version.
@NullMarked
package dev.berth.node.sysfs;

import org.jspecify.annotations.NullMarked;
