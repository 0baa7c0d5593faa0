/// The command `berth`: main class, subcommands, usage errors, logging.
@NullMarked
package dev.berth.app;

import org.jspecify.annotations.NullMarked;
