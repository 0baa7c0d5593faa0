/// Leader election among candidates, by a Lease.
@NullMarked
package dev.berth.client.leaderelection;

import org.jspecify.annotations.NullMarked;
