package dev.berth.core.inventory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One value per device row; null where the device has none.
///
/// An array with equality by content, so that [DeviceInterner] can share equal columns of different
/// slices.
final class DeviceColumn<T> {

    private final @Nullable Object[] values;
    private final int hash;

    DeviceColumn(@Nullable Object[] values) {
        this.values = values;
        this.hash = Arrays.hashCode(values);
    }

    @SuppressWarnings("unchecked") // only values of type T are put in
    @Nullable T at(int row) {
        return (T) values[row];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof DeviceColumn<?> that
                        && hash == that.hash
                        && Arrays.equals(values, that.values));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
