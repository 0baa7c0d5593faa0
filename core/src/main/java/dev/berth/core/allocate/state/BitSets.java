package dev.berth.core.allocate.state;

/// Sets of small integers in `long` arrays, without the bounds checks of `java.util.BitSet`.
public final class BitSets {

    private BitSets() {}

    public static int words(int size) {
        return (size + 63) >>> 6;
    }

    public static long bit(int number) {
        return 1L << number;
    }

    public static void set(long[] words, int number) {
        words[number >>> 6] |= bit(number);
    }

    public static boolean has(long[] words, int number) {
        return (words[number >>> 6] & bit(number)) != 0;
    }

    /// The first member at or above `from`, or -1.
    public static int next(long[] words, int from) {
        var index = from >>> 6;
        if (index >= words.length) {
            return -1;
        }
        var word = words[index] & (-1L << from);
        while (word == 0) {
            if (++index == words.length) {
                return -1;
            }
            word = words[index];
        }
        return (index << 6) + Long.numberOfTrailingZeros(word);
    }

    public static int count(long[] words) {
        var count = 0;
        for (var word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    public static int countCommon(long[] a, long[] b) {
        var count = 0;
        for (var i = 0; i < a.length; i++) {
            count += Long.bitCount(a[i] & b[i]);
        }
        return count;
    }

    static boolean isEmpty(long[] words) {
        for (var word : words) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    public static void retain(long[] target, long[] mask) {
        for (var i = 0; i < target.length; i++) {
            target[i] &= mask[i];
        }
    }

    public static void add(long[] target, long[] more) {
        for (var i = 0; i < target.length; i++) {
            target[i] |= more[i];
        }
    }
}
