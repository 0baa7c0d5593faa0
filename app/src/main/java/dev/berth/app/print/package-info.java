/// Text for terminals.
@NullMarked
package dev.berth.app.print;

import org.jspecify.annotations.NullMarked;
