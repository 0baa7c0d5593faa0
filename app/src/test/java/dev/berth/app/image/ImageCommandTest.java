package dev.berth.app.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCommandTest {

    @TempDir private Path directory;

    private String root = "";
    private String plain = "";

    @BeforeEach
    void makeFiles() throws IOException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "images are imported by root only");
        root = directory.resolve("node").toString();
        plain = Files.createDirectory(directory.resolve("plain")).toString();
        Files.writeString(Path.of(plain, "app"), "a program");
    }

    @Test
    void aDirectoryIsImportedListedAndRemoved() {
        var imported =
                CommandRun.of(
                        "image", "import", plain, "--name", "app:1", "--cmd", "/app", "--root",
                        root);
        assertThat(imported.err()).isEmpty();
        assertThat(imported.out())
                .matches("Imported docker.io/library/app:1 \\(sha256:[0-9a-f]{12}, 0.0 MB\\)\\R");
        assertThat(CommandRun.of("image", "list", "--root", root).out())
                .containsPattern("docker.io/library/app:1 +sha256:[0-9a-f]{12} +0.0 MB +/app");
        assertThat(CommandRun.of("image", "list", "-o", "json", "--root", root).out())
                .contains("\"Cmd\": [", "\"docker.io/library/app:1\"");
        assertThat(CommandRun.of("image", "remove", "app:1", "--root", root))
                .isEqualTo(new CommandRun(0, "Removed app:1\n", ""));
        assertThat(CommandRun.of("image", "list", "--root", root).out())
                .isEqualTo(
                        "No images in %s. Import one with: berth image import FILE --root %s\n"
                                .formatted(root, root));
    }

    @Test
    void errorsArePrintedInOneLine() {
        assertThat(CommandRun.of("image", "import", plain, "--root", root).err())
                .isEqualTo(
                        "berth: %s: a plain directory has no name; set one, such as --name"
                                        .formatted(plain)
                                + " app:1\n");
        assertThat(CommandRun.of("image", "import", plain, "--name", "A B", "--root", root).err())
                .startsWith("berth: --name: \"A B\" is not an image name such as app:1");
        assertThat(Path.of(root)).doesNotExist();
        assertThat(CommandRun.of("image", "remove", "app:1", "--root", root))
                .isEqualTo(
                        new CommandRun(
                                1,
                                "",
                                ("berth: image app:1 is not in %s; berth image list --root %s lists"
                                                + " the images\n")
                                        .formatted(root, root)));
        assertThat(CommandRun.of("image", "import", root + "/none", "--root", root).err())
                .isEqualTo("berth: %s/none: no such file or directory\n".formatted(root));
        assertThat(Path.of(root)).doesNotExist();
    }
}
