/// `berth explain`: why a pod or claim does not get its devices.
@NullMarked
package dev.berth.app.explain;

import org.jspecify.annotations.NullMarked;
