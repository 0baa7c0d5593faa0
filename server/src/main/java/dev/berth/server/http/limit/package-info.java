/// Limits on what clients use at once: seats by priority level, memory, log lines.
@NullMarked
package dev.berth.server.http.limit;

import org.jspecify.annotations.NullMarked;
