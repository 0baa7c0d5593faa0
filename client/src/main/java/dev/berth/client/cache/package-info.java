/// Copies of a cluster's objects that stay up to date.
@NullMarked
package dev.berth.client.cache;

import org.jspecify.annotations.NullMarked;
