package dev.berth.server.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Persistent sorted map: an update copies only the path to the changed node and shares the rest,
/// so readers keep their version and never block. Nodes store subtree sizes, so keys in a range are
/// counted in O(log n).
///
/// A weight-balanced tree (Adams 1993) with the parameters 3 and 2, which Hirai and Yamamoto (2011)
/// proved to keep it balanced. All operations but listing a range are O(log n).
///
/// Decision: this is not `core.persistent.PersistentSortedMap`. A collection of the store can have
/// hundreds of thousands of objects and one writer; a change of that map copies the array of all
/// chunks, and counting the keys before one, for `remainingItemCount` of a page, walks it. The
/// scheduler in turn needs what that map is good at: visits of all values without pointers to
/// follow, and the difference of two versions.
final class PersistentTree<V> {

    private static final int HEAVIER = 3;
    private static final int SINGLE = 2;

    private final @Nullable Node<V> root;

    private PersistentTree(@Nullable Node<V> root) {
        this.root = root;
    }

    static <V> PersistentTree<V> empty() {
        return new PersistentTree<>(null);
    }

    int size() {
        return size(root);
    }

    Optional<V> get(String key) {
        var node = root;
        while (node != null) {
            var order = key.compareTo(node.key);
            if (order == 0) {
                return Optional.of(node.value);
            }
            node = order < 0 ? node.left : node.right;
        }
        return Optional.empty();
    }

    PersistentTree<V> with(String key, V value) {
        return new PersistentTree<>(put(root, key, value));
    }

    PersistentTree<V> without(String key) {
        return get(key).isEmpty() ? this : new PersistentTree<>(remove(root, key));
    }

    /// Number of keys less than this one.
    int countBefore(String key) {
        var count = 0;
        var node = root;
        while (node != null) {
            if (key.compareTo(node.key) <= 0) {
                node = node.left;
            } else {
                count += size(node.left) + 1;
                node = node.right;
            }
        }
        return count;
    }

    /// The values between two keys, both exclusive, in order; at most `limit`, or all if it is 0.
    List<V> between(String after, String before, int limit) {
        var most = Math.max(0, countBefore(before) - countBefore(after));
        var values = new ArrayList<V>(limit > 0 ? Math.min(limit, most) : most);
        collect(root, after, before, limit > 0 ? limit : Integer.MAX_VALUE, values);
        return values;
    }

    private static <V> void collect(
            @Nullable Node<V> node, String after, String before, int limit, List<V> values) {
        if (node == null || values.size() >= limit) {
            return;
        }
        var isAfter = node.key.compareTo(after) > 0;
        var isBefore = node.key.compareTo(before) < 0;
        if (isAfter) {
            collect(node.left, after, before, limit, values);
        }
        if (isAfter && isBefore && values.size() < limit) {
            values.add(node.value);
        }
        if (isBefore) {
            collect(node.right, after, before, limit, values);
        }
    }

    private static <V> Node<V> put(@Nullable Node<V> node, String key, V value) {
        if (node == null) {
            return new Node<>(key, value, null, null);
        }
        var order = key.compareTo(node.key);
        if (order == 0) {
            return new Node<>(key, value, node.left, node.right);
        }
        return order < 0
                ? balanced(node, put(node.left, key, value), node.right)
                : balanced(node, node.left, put(node.right, key, value));
    }

    private static <V> @Nullable Node<V> remove(@Nullable Node<V> node, String key) {
        if (node == null) {
            return null;
        }
        var order = key.compareTo(node.key);
        if (order < 0) {
            return balanced(node, remove(node.left, key), node.right);
        }
        if (order > 0) {
            return balanced(node, node.left, remove(node.right, key));
        }
        if (node.left == null || node.right == null) {
            return node.left == null ? node.right : node.left;
        }
        var next = first(node.right);
        return balanced(next, node.left, remove(node.right, next.key));
    }

    private static <V> Node<V> first(Node<V> node) {
        var first = node;
        while (first.left != null) {
            first = first.left;
        }
        return first;
    }

    /// A node with the key and value of `middle` and these children, rotated if one child outweighs
    /// the other.
    private static <V> Node<V> balanced(
            Node<V> middle, @Nullable Node<V> left, @Nullable Node<V> right) {
        if (right != null && weight(right) > HEAVIER * weight(left)) {
            var inner = right.left;
            return inner == null || weight(inner) < SINGLE * weight(right.right)
                    ? node(right, node(middle, left, inner), right.right)
                    : node(
                            inner,
                            node(middle, left, inner.left),
                            node(right, inner.right, right.right));
        }
        if (left != null && weight(left) > HEAVIER * weight(right)) {
            var inner = left.right;
            return inner == null || weight(inner) < SINGLE * weight(left.left)
                    ? node(left, left.left, node(middle, inner, right))
                    : node(
                            inner,
                            node(left, left.left, inner.left),
                            node(middle, inner.right, right));
        }
        return node(middle, left, right);
    }

    private static <V> Node<V> node(
            Node<V> middle, @Nullable Node<V> left, @Nullable Node<V> right) {
        return new Node<>(middle.key, middle.value, left, right);
    }

    private static int weight(@Nullable Node<?> node) {
        return size(node) + 1;
    }

    private static int size(@Nullable Node<?> node) {
        return node == null ? 0 : node.size;
    }

    private static final class Node<V> {
        private final String key;
        private final V value;
        private final @Nullable Node<V> left;
        private final @Nullable Node<V> right;
        private final int size;

        private Node(String key, V value, @Nullable Node<V> left, @Nullable Node<V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.size = size(left) + size(right) + 1;
        }
    }
}
