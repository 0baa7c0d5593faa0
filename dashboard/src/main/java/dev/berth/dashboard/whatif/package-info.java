/// Plans on the live cluster: manifests and changes in, the result of `core.plan` out. Nothing is
/// applied.
@NullMarked
package dev.berth.dashboard.whatif;

import org.jspecify.annotations.NullMarked;
