/// Shows what would happen.
@NullMarked
package dev.berth.app.plan;

import org.jspecify.annotations.NullMarked;
