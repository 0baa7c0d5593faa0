package dev.berth.model.codec;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The place of a field's value while an object is read, and how to look at what is in it.
record FieldSlot<V>(int index, Function<@Nullable Object, V> view) {}
