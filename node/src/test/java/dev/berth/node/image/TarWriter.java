package dev.berth.node.image;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Writes tar archives, also invalid ones.
public final class TarWriter {

    private static final int BLOCK = 512;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public TarWriter directory(String name) {
        return member(name, '5', "", 0755, 0, new byte[0]);
    }

    public TarWriter file(String name, String content) {
        return file(name, 0644, 0, content.getBytes(StandardCharsets.UTF_8));
    }

    public TarWriter file(String name, int mode, int owner, byte[] content) {
        return member(name, '0', "", mode, owner, content);
    }

    public TarWriter link(String name, String target) {
        return member(name, '2', target, 0777, 0, new byte[0]);
    }

    public TarWriter hardLink(String name, String target) {
        return member(name, '1', target, 0644, 0, new byte[0]);
    }

    /// A member with a name of any length, by an extended header.
    public TarWriter longFile(String name, String content) {
        var record = " path=" + name + "\n";
        var length = record.getBytes(StandardCharsets.UTF_8).length;
        var total = length + Integer.toString(length).length();
        total = length + Integer.toString(total).length();
        member("x", 'x', "", 0644, 0, (total + record).getBytes(StandardCharsets.UTF_8));
        return file("short", content);
    }

    public TarWriter member(
            String name, char type, String link, int mode, int owner, byte[] content) {
        var header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "%07o".formatted(mode));
        put(header, 108, "%07o".formatted(owner));
        put(header, 116, "%07o".formatted(owner));
        put(header, 124, "%011o".formatted(content.length));
        put(header, 136, "%011o".formatted(1_000_000_000));
        put(header, 148, "        ");
        header[156] = (byte) type;
        put(header, 157, link);
        put(header, 257, "ustar\u000000");
        var sum = 0;
        for (var one : header) {
            sum += one & 0xff;
        }
        put(header, 148, "%06o\u0000 ".formatted(sum));
        bytes.writeBytes(header);
        bytes.writeBytes(content);
        bytes.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
        return this;
    }

    private static void put(byte[] header, int offset, String text) {
        var encoded = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(encoded, 0, header, offset, encoded.length);
    }

    public byte[] bytes() {
        var whole = new ByteArrayOutputStream();
        whole.writeBytes(bytes.toByteArray());
        whole.writeBytes(new byte[2 * BLOCK]);
        return whole.toByteArray();
    }
}
