package dev.berth.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Expected text in a file of the repository. With `-Dgolden=update` the file is written instead,
/// for review.
public final class GoldenFile {

    private static final boolean IS_UPDATE = "update".equals(System.getProperty("golden"));

    private GoldenFile() {}

    /// Fails when the text differs from the content of the file.
    public static void check(Path file, String text) throws IOException {
        if (IS_UPDATE) {
            Files.writeString(file, text);
        }
        assertThat(text).as("content of %s", file).isEqualTo(Files.readString(file));
    }
}
