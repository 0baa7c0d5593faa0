/// `berth serve`, `berth backup` and `berth restore`.
@NullMarked
package dev.berth.app.serve;

import org.jspecify.annotations.NullMarked;
