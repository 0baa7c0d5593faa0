package dev.berth.model.codec.record;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Index of a field's value during decoding, and the conversion of that value.
public record FieldSlot<V>(int index, Function<@Nullable Object, V> view) {}
