package dev.berth.model.codec.token;

import dev.berth.model.quantity.Quantity;
import org.jspecify.annotations.Nullable;

/// Interns strings and quantities: the slices of a cluster repeat the same names a million times.
///
/// Direct-mapped: a string has one slot in a table of fixed size, and a new entry replaces the old
/// one. So memory is bounded, hostile input only reduces sharing, and races are benign: entries are
/// immutable, and at worst a string is duplicated.
public final class ValueInterner {

    /// Table size, sufficient for the names of a large cluster.
    public static final int PLACES = 1 << 14;

    /// Longer texts are not names, and rarely repeat.
    static final int MAX_LENGTH = 256;

    private final @Nullable String[] words;
    private final @Nullable Amount[] amounts;

    private record Amount(String text, Quantity quantity) {}

    /// An interner with so many places, a power of two.
    public ValueInterner(int places) {
        words = new @Nullable String[places];
        amounts = new @Nullable Amount[Math.max(1, places / 4)];
    }

    public String word(String text) {
        if (text.length() > MAX_LENGTH) {
            return text;
        }
        var place = place(text.hashCode(), words.length);
        var known = words[place];
        if (text.equals(known)) {
            return known;
        }
        words[place] = text;
        return text;
    }

    /// As [#word(String)], without creating a string if it is interned.
    public String word(char[] chars, int offset, int length) {
        if (length > MAX_LENGTH) {
            return new String(chars, offset, length);
        }
        var hash = 0;
        for (var i = 0; i < length; i++) {
            hash = 31 * hash + chars[offset + i];
        }
        var place = place(hash, words.length);
        var known = words[place];
        if (known != null && equal(known, chars, offset, length)) {
            return known;
        }
        var word = new String(chars, offset, length);
        words[place] = word;
        return word;
    }

    private static boolean equal(String word, char[] chars, int offset, int length) {
        if (word.length() != length) {
            return false;
        }
        for (var i = 0; i < length; i++) {
            if (word.charAt(i) != chars[offset + i]) {
                return false;
            }
        }
        return true;
    }

    /// Parses a quantity.
    ///
    /// @throws IllegalArgumentException with the message of Kubernetes for a malformed quantity
    public Quantity quantity(String text) {
        var place = place(text.hashCode(), amounts.length);
        var known = amounts[place];
        if (known != null && known.text.equals(text)) {
            return known.quantity;
        }
        var quantity = Quantity.parse(text);
        if (text.length() <= MAX_LENGTH) {
            amounts[place] = new Amount(text, quantity);
        }
        return quantity;
    }

    private static int place(int hash, int places) {
        return (hash ^ (hash >>> 15)) & (places - 1);
    }
}
