/// Rules of pods: defaults, validation, updates, eviction, limit ranges and priority classes.
@NullMarked
package dev.berth.server.kinds.pod;

import org.jspecify.annotations.NullMarked;
