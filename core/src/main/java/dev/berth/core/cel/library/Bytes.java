package dev.berth.core.cel.library;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// CEL's `bytes`: never changed, compared byte by byte as unsigned numbers.
public final class Bytes implements Comparable<Bytes> {

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    public static Bytes of(byte[] content) {
        return new Bytes(content.clone());
    }

    /// The UTF-8 form of a text.
    public static Bytes utf8(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
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

    public Bytes plus(Bytes other) {
        var joined = Arrays.copyOf(content, content.length + other.content.length);
        System.arraycopy(other.content, 0, joined, content.length, other.content.length);
        return new Bytes(joined);
    }

    @Override
    public int compareTo(Bytes other) {
        return Integer.signum(Arrays.compareUnsigned(content, other.content));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /// The bytes read as UTF-8, for messages.
    @Override
    public String toString() {
        return new String(content, StandardCharsets.UTF_8);
    }
}
