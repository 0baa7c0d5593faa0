package dev.berth.core.publish;

import dev.berth.model.api.slice.ResourceSlice;

/// A write to a ResourceSlice.
public sealed interface SliceCommand {

    record Create(ResourceSlice slice) implements SliceCommand {}

    /// Updates the slice, if its resourceVersion is still current.
    record Update(ResourceSlice slice) implements SliceCommand {}

    record Delete(ResourceSlice slice) implements SliceCommand {}
}
