/// Kubernetes quantities and semantic versions: exact numbers with a canonical spelling.
@NullMarked
package dev.berth.model.quantity;

import org.jspecify.annotations.NullMarked;
