/// Persistent volumes, their claims, and storage classes.
@NullMarked
package dev.berth.model.api.storage;

import org.jspecify.annotations.NullMarked;
