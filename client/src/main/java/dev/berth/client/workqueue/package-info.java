/// Work queues of controllers: keys are deduplicated, failures are retried with exponential
/// back-off.
@NullMarked
package dev.berth.client.workqueue;

import org.jspecify.annotations.NullMarked;
