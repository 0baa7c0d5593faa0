/// The kinds that are served, and what the verbs do with their objects.
@NullMarked
package dev.berth.server.registry;

import org.jspecify.annotations.NullMarked;
