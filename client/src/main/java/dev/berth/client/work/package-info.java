/// Work that is waiting: each key once, failures later and later.
@NullMarked
package dev.berth.client.work;

import org.jspecify.annotations.NullMarked;
