/// `berth cdi`: what runtimes see of the Container Device Interface.
@NullMarked
package dev.berth.app.cdi;

import org.jspecify.annotations.NullMarked;
