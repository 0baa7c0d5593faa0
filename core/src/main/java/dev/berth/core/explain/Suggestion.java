package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.List;

/// Something that somebody could do so that the claims fit.
public sealed interface Suggestion {

    /// The claims give back what they hold.
    record Release(List<ObjectRef> claims) implements Suggestion {
        public Release {
            claims = List.copyOf(claims);
        }
    }

    record Tolerate(ObjectRef claim, String request, List<DeviceTaint> taints)
            implements Suggestion {
        public Tolerate {
            taints = List.copyOf(taints);
        }
    }

    record LowerCount(ObjectRef claim, String request, long from, long to) implements Suggestion {}

    record LowerCapacity(
            ObjectRef claim, String request, String capacity, Quantity from, Quantity to)
            implements Suggestion {}

    /// One part of a selector is written differently.
    ///
    /// @param expression the whole selector as it would be then
    record EditSelector(SelectorLocation at, Edit edit, String from, String to, String expression)
            implements Suggestion {}

    /// What is done to a part of a selector.
    enum Edit {
        /// A name that no device has becomes the nearest one that some have.
        RENAME,
        /// A number or text becomes what a device has.
        LOOSEN,
        /// A part without an answer is asked only of devices that have what it reads.
        GUARD,
        /// The part goes.
        DROP
    }

    /// A constraint names an attribute that some devices have instead of one that none has.
    record RenameInConstraint(ObjectRef claim, int number, String from, String to)
            implements Suggestion {}

    record DropConstraint(ObjectRef claim, int number, String attribute) implements Suggestion {}

    record UseClass(ObjectRef claim, String request, String from, String to)
            implements Suggestion {}

    /// The pod may use a node that it may not use now.
    ///
    /// @param reasons all that keeps it off the node
    record AllowNode(String node, List<Rejection> reasons) implements Suggestion {
        public AllowNode {
            reasons = List.copyOf(reasons);
        }
    }

    /// The driver says that the slices that are there are all of the pool.
    record ShortenPool(PoolId pool, long present, long expected) implements Suggestion {}

    /// How much is changed, to compare changes that correct no mistake; such that do come first.
    default long size() {
        return switch (this) {
            case UseClass _, RenameInConstraint _ -> 0;
            case EditSelector edit ->
                    switch (edit.edit) {
                        case RENAME, GUARD -> 0;
                        case LOOSEN -> 1;
                        case DROP -> 2;
                    };
            case Release(var claims) -> claims.size();
            case Tolerate(_, _, var taints) -> taints.size();
            case LowerCount(_, _, var from, var to) -> from - to;
            case AllowNode(_, var reasons) -> reasons.size();
            case LowerCapacity _, ShortenPool _ -> 1;
            case DropConstraint _ -> 2;
        };
    }

    /// A change that was tried, and a node where the claims fit with it.
    record Proposal(Suggestion change, String node) {}
}
