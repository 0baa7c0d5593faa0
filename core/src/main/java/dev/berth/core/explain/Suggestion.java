package dev.berth.core.explain;

import dev.berth.core.explain.finding.ObjectField;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.quantity.Quantity;
import java.util.List;

/// A change to the claims, the cluster or the pod that may make the claims fit.
public sealed interface Suggestion {

    /// Deallocates other claims.
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

    /// Rewrites one part of a selector.
    ///
    /// @param expression the whole selector after the edit
    record EditSelector(SelectorLocation at, Edit edit, String from, String to, String expression)
            implements Suggestion {}

    /// Kind of edit of a selector part.
    enum Edit {
        /// Replaces a name that no device has with the nearest existing name.
        RENAME,
        /// Reads an attribute or capacity from the domain in which devices have it.
        MOVE,
        /// Replaces a literal with the value of a device.
        LOOSEN,
        /// Evaluates a part that fails only on devices that have the attribute it reads.
        GUARD,
        /// Removes the part.
        DROP
    }

    /// Replaces the attribute of a constraint, which no device has, with one that some devices
    /// have.
    record RenameInConstraint(ObjectRef claim, int number, String from, String to)
            implements Suggestion {}

    record DropConstraint(ObjectRef claim, int number, String attribute) implements Suggestion {}

    record UseClass(ObjectRef claim, String request, String from, String to)
            implements Suggestion {}

    /// Removes all rejections of a node.
    ///
    /// @param reasons all rejections of the node
    record AllowNode(String node, List<Rejection> reasons) implements Suggestion {
        public AllowNode {
            reasons = List.copyOf(reasons);
        }
    }

    /// The driver publishes the pool with a `resourceSliceCount` equal to the number of existing
    /// slices.
    record ShortenPool(PoolId pool, long present, long expected) implements Suggestion {}

    /// Removes a DeviceTaintRule.
    record DeleteTaintRule(String rule, DeviceTaint taint) implements Suggestion {}

    /// Size of the change, for sorting. Corrections of likely mistakes have size zero and come
    /// first.
    default long size() {
        return switch (this) {
            case UseClass _, RenameInConstraint _ -> 0;
            case EditSelector edit ->
                    switch (edit.edit) {
                        case RENAME, MOVE, GUARD -> 0;
                        case LOOSEN -> 1;
                        case DROP -> 2;
                    };
            case Release(var claims) -> claims.size();
            case Tolerate(_, _, var taints) -> taints.size();
            case LowerCount(_, _, var from, var to) -> from - to;
            case AllowNode(_, var reasons) -> reasons.size();
            case LowerCapacity _, ShortenPool _, DeleteTaintRule _ -> 1;
            case DropConstraint _ -> 2;
        };
    }

    /// A suggestion that the allocator has verified.
    ///
    /// @param node a node where the claims then fit
    /// @param targets the fields that it changes
    record Verified(
            Suggestion suggestion, String node, SuggestionOwner owner, List<ObjectField> targets) {
        public Verified {
            targets = List.copyOf(targets);
        }
    }
}
