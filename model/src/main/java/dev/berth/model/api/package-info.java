/// The kinds of resource.k8s.io and the parts of other kinds that devices need, as immutable
/// values.
@NullMarked
package dev.berth.model.api;

import org.jspecify.annotations.NullMarked;
