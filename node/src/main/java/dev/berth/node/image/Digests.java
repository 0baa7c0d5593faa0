package dev.berth.node.image;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 digests in the form `sha256:…`.
final class Digests {

    private Digests() {}

    static String of(byte[] content) {
        return text(sha256().digest(content));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static String text(byte[] digest) {
        return "sha256:" + HexFormat.of().formatHex(digest);
    }
}
