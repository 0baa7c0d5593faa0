/// Informer caches: [dev.berth.client.cache.ObjectCache] holds all objects of a kind, updated by a
/// watch.
@NullMarked
package dev.berth.client.cache;

import org.jspecify.annotations.NullMarked;
