/// The command `berth ui`, and the dashboard that `berth up` serves.
@NullMarked
package dev.berth.app.ui;

import org.jspecify.annotations.NullMarked;
