package dev.berth.core.cel.eval;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/// Lists that grow without being copied: the cost model gives away joining lists for one unit,
/// however long they are, so joining them must not take longer than that.
final class GrowableLists {

    private GrowableLists() {}

    static List<?> concat(List<?> a, List<?> b) {
        if (a instanceof Grown grown && b.size() == 1) {
            return grown.with(b.getFirst());
        }
        if (a.isEmpty()) {
            return b;
        }
        if (b.isEmpty()) {
            return a;
        }
        return new Joined(a, b);
    }

    /// An empty list that a loop adds to.
    static List<?> growing() {
        return new Grown(new ArrayList<>(), 0);
    }

    /// The first elements of an array that only grows. Adding to the longest such list is cheap and
    /// leaves the shorter ones as they were.
    private static final class Grown extends AbstractList<Object> implements RandomAccess {

        private final List<Object> elements;
        private final int size;

        Grown(List<Object> elements, int size) {
            this.elements = elements;
            this.size = size;
        }

        Grown with(Object element) {
            var target = elements;
            if (elements.size() > size) {
                target = new ArrayList<>(elements.subList(0, size));
            }
            target.add(element);
            return new Grown(target, size + 1);
        }

        @Override
        public Object get(int index) {
            if (index >= size) {
                throw new IndexOutOfBoundsException(index);
            }
            return elements.get(index);
        }

        @Override
        public int size() {
            return size;
        }
    }

    /// Two lists, one after the other.
    private static final class Joined extends AbstractList<Object> implements RandomAccess {

        private final List<?> first;
        private final List<?> second;
        private final int size;

        Joined(List<?> first, List<?> second) {
            this.first = first;
            this.second = second;
            this.size = (int) Math.min(Integer.MAX_VALUE, (long) first.size() + second.size());
        }

        @Override
        public Object get(int index) {
            return index < first.size() ? first.get(index) : second.get(index - first.size());
        }

        @Override
        public int size() {
            return size;
        }
    }
}
