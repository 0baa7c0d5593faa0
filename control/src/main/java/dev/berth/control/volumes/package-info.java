/// Volumes and the claims to them.
@NullMarked
package dev.berth.control.volumes;

import org.jspecify.annotations.NullMarked;
