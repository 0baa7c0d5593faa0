/// Points in time as the API spells them.
@NullMarked
package dev.berth.model.time;

import org.jspecify.annotations.NullMarked;
