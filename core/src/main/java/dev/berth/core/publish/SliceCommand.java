package dev.berth.core.publish;

import dev.berth.model.api.ResourceSlice;

/// A write that brings what is published nearer to what is wanted.
public sealed interface SliceCommand {

    record Create(ResourceSlice slice) implements SliceCommand {}

    /// Replaces the slice of the revision that it says.
    record Update(ResourceSlice slice) implements SliceCommand {}

    record Delete(ResourceSlice slice) implements SliceCommand {}
}
