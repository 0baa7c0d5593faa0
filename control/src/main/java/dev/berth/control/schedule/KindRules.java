package dev.berth.control.schedule;

import java.util.Optional;

/// Rules of one watched kind: identity, relevant changes, and their effect. Called on the
/// scheduler's thread.
///
/// @param <K> identity of an object
/// @param <T> objects of the kind
interface KindRules<K, T> {

    K key(T object);

    /// True when no field changed that matters to the scheduler; the change is ignored.
    default boolean isEquivalent(T before, T now) {
        return false;
    }

    /// Applies an added or changed object.
    ///
    /// @param isListed true when the object is from a list, which may hide earlier changes
    void put(T now, Optional<T> before, boolean isListed);

    /// Applies a deletion.
    ///
    /// @param last the last known version
    void remove(T last);

    /// Called after each change of one object, and once after a list.
    default void applied(boolean isList) {}
}
