/// Work that is waiting: each key once, failures later and later.
@NullMarked
package dev.berth.client.workqueue;

import org.jspecify.annotations.NullMarked;
