/// State of a device search: devices of a node, request options, remaining capacity and counters,
/// constraint values, and the undo log. Nothing here decides the order of the search.
@NullMarked
package dev.berth.core.allocate.state;

import org.jspecify.annotations.NullMarked;
