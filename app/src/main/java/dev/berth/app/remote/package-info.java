/// Programs that work with a cluster somewhere else.
@NullMarked
package dev.berth.app.remote;

import org.jspecify.annotations.NullMarked;
