/// The API server as a command, and what keeps its data safe.
@NullMarked
package dev.berth.app.serve;

import org.jspecify.annotations.NullMarked;
