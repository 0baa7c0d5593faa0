/// Shows which devices there are and who has them.
@NullMarked
package dev.berth.app.inventory;

import org.jspecify.annotations.NullMarked;
