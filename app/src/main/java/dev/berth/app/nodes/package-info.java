/// `berth nodes`: adds, lists and removes simulated nodes of a running cluster.
@NullMarked
package dev.berth.app.nodes;

import org.jspecify.annotations.NullMarked;
