package dev.berth.node.driver;

import dev.berth.node.socket.SocketPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/// Paths of a driver's sockets. Each instance has its own sockets. Names that exceed the kernel's
/// limit for socket paths are shortened by a hash.
final class SocketNames {

    private static final int SHORT_HASH = 8;
    private static final int LONG_HASH = 16;

    private SocketNames() {}

    /// The DRA service socket.
    static Path service(DriverOptions options) {
        return options.data()
                .resolve(options.instance().map(id -> "dra-" + id + ".sock").orElse("dra.sock"));
    }

    /// The registration socket, in the directory that kubelets watch.
    static Path registration(DriverOptions options) {
        var driver = options.driver();
        if (options.instance().isEmpty()) {
            return options.registry().resolve(driver + "-reg.sock");
        }
        var id = options.instance().get();
        var plain = options.registry().resolve("%s-%s-reg.sock".formatted(driver, id));
        if (SocketPath.fits(plain)) {
            return plain;
        }
        var shorter =
                options.registry()
                        .resolve("%s-%s-reg.sock".formatted(driver, hash(id, SHORT_HASH)));
        return SocketPath.fits(shorter)
                ? shorter
                : options.registry()
                        .resolve("dra-%s-reg.sock".formatted(hash(driver + "\0" + id, LONG_HASH)));
    }

    private static String hash(String text, int bytes) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(Arrays.copyOf(digest, bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
