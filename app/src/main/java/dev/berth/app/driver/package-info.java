/// `berth driver`: drivers for devices of this machine as processes of their own.
@NullMarked
package dev.berth.app.driver;

import org.jspecify.annotations.NullMarked;
