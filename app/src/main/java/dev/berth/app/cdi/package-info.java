/// `berth cdi`: devices and problems of CDI specs, as container runtimes see them.
@NullMarked
package dev.berth.app.cdi;

import org.jspecify.annotations.NullMarked;
