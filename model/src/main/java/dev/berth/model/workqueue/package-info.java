/// Work queues and control loops: keys are deduplicated, failures are retried with exponential
/// back-off, and a loop runs on threads or step by step on virtual time. The only implementation of
/// retries by key and of exponential back-off, for all modules.
@NullMarked
package dev.berth.model.workqueue;

import org.jspecify.annotations.NullMarked;
