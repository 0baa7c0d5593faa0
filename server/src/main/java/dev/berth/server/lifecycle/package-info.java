/// Loops that keep what is stored in order: owners and dependents, namespaces, old events.
@NullMarked
package dev.berth.server.lifecycle;

import org.jspecify.annotations.NullMarked;
