/// One leader among many candidates, by a Lease.
@NullMarked
package dev.berth.client.lead;

import org.jspecify.annotations.NullMarked;
