/// Preparation of device requests for a search: options of each request on a node, derived
/// attributes, and the cache of results for nodes with the same devices. [SingleDeviceSearch]
/// serves a claim for one device without a search.
@NullMarked
package dev.berth.core.allocate.request;

import org.jspecify.annotations.NullMarked;
