/// What is stored: keys, revisions, watching. It knows bytes, not kinds.
@NullMarked
package dev.berth.server.store;

import org.jspecify.annotations.NullMarked;
