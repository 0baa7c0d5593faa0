/// `berth inventory`: devices of a cluster, their state and their holders.
@NullMarked
package dev.berth.app.inventory;

import org.jspecify.annotations.NullMarked;
