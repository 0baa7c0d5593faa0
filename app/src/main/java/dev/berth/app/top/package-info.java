/// `berth top`: a live view of devices, their holders and what still fits.
@NullMarked
package dev.berth.app.top;

import org.jspecify.annotations.NullMarked;
