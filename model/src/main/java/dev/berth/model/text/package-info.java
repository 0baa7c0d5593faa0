/// Text for error messages.
@NullMarked
package dev.berth.model.text;

import org.jspecify.annotations.NullMarked;
