package dev.berth.core.cel.value;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/// Lists that are concatenated without copying: the cost model charges one unit for a concatenation
/// of any length, so it must run in constant time.
public final class GrowableLists {

    private GrowableLists() {}

    static List<?> concat(List<?> a, List<?> b) {
        if (a instanceof AppendList grown && b.size() == 1) {
            return grown.with(b.getFirst());
        }
        if (a.isEmpty()) {
            return b;
        }
        if (b.isEmpty()) {
            return a;
        }
        return new ConcatList(a, b);
    }

    /// An empty list that a comprehension appends to.
    public static List<?> growing() {
        return new AppendList(new ArrayList<>(), 0);
    }

    /// A prefix of a shared append-only array. Appending to the longest such list is cheap and
    /// leaves shorter ones unchanged.
    private static final class AppendList extends AbstractList<Object> implements RandomAccess {

        private final List<Object> elements;
        private final int size;

        AppendList(List<Object> elements, int size) {
            this.elements = elements;
            this.size = size;
        }

        AppendList with(Object element) {
            var target = elements;
            if (elements.size() > size) {
                target = new ArrayList<>(elements.subList(0, size));
            }
            target.add(element);
            return new AppendList(target, size + 1);
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

    /// Concatenation of two lists.
    private static final class ConcatList extends AbstractList<Object> implements RandomAccess {

        private final List<?> first;
        private final List<?> second;
        private final int size;

        ConcatList(List<?> first, List<?> second) {
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
