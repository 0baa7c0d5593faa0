package dev.berth.core.cel.library;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// CEL's `bytes`: immutable, compared as unsigned bytes.
public final class CelBytes implements Comparable<CelBytes> {

    private final byte[] content;

    private CelBytes(byte[] content) {
        this.content = content;
    }

    public static CelBytes of(byte[] content) {
        return new CelBytes(content.clone());
    }

    /// The UTF-8 encoding of a string.
    public static CelBytes utf8(String text) {
        return new CelBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public int size() {
        return content.length;
    }

    public byte at(int index) {
        return content[index];
    }

    public byte[] toArray() {
        return content.clone();
    }

    public CelBytes plus(CelBytes other) {
        var joined = Arrays.copyOf(content, content.length + other.content.length);
        System.arraycopy(other.content, 0, joined, content.length, other.content.length);
        return new CelBytes(joined);
    }

    @Override
    public int compareTo(CelBytes other) {
        return Integer.signum(Arrays.compareUnsigned(content, other.content));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CelBytes that && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /// The bytes decoded as UTF-8, for messages.
    @Override
    public String toString() {
        return new String(content, StandardCharsets.UTF_8);
    }
}
