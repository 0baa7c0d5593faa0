package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No command prints control characters of objects, files, images or arguments as they are.
class TerminalOutputTest {

    private static final String ESCAPE = "\u001b[2J";

    @TempDir private Path directory;

    private static CommandRun run(String... arguments) {
        var run = CommandRun.of(arguments);
        for (var printed : List.of(run.out(), run.err())) {
            assertThat(printed)
                    .as(String.join(" ", arguments))
                    .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c]")
                    .doesNotContainPattern("[\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");
        }
        return run;
    }

    /// The manifests of the golden files, in a file with a name of that kind.
    private String manifests() throws IOException {
        var golden = Path.of("src/test/resources/scenarios/escaping/cluster.yaml");
        return Files.copy(golden, directory.resolve("cluster" + ESCAPE + ".yaml")).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "json", "yaml"})
    void inventoryAndPlan(String format) throws IOException {
        var file = manifests();
        assertThat(run("inventory", "-f", file, "-o", format).out()).contains("\\u001b[2J");
        run("plan", "-f", file, "-o", format);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void explain(String format) throws IOException {
        assertThat(run("explain", "claim/gpu", "-f", manifests(), "-o", format).out())
                .contains("\\u001b");
    }

    @Test
    void lintAndFilesThatCannotBeRead() throws IOException {
        assertThat(run("lint", manifests()).out()).contains("cluster\\u001b[2J.yaml");
        var missing = directory.resolve("none" + ESCAPE).toString();
        assertThat(run("lint", missing).err()).contains("none\\u001b[2J");
        assertThat(run("conformance", missing).err()).contains("none\\u001b[2J");
    }

    @Test
    void argumentsThatAreRefused() {
        assertThat(run("lint", "--no-such\u001b[2J").err()).contains("--no-such\\u001b[2J");
        assertThat(run("no-such\u202e").err()).contains("no-such\\u202e");
        assertThat(run("inventory", "--node", "n\u009b31m", "-f", "x").err()).isNotEmpty();
    }

    @Test
    void imagesAndCdiDocuments() throws IOException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "images are imported by root only");
        var root = directory.resolve("node" + ESCAPE).toString();
        var plain = Files.createDirectory(directory.resolve("plain" + ESCAPE)).toString();
        assertThat(run("image", "import", plain, "--name", "a" + ESCAPE, "--root", root).err())
                .contains("\\u001b[2J");
        run("image", "import", plain, "--name", "app:1", "--cmd", "/a" + ESCAPE, "--root", root);
        assertThat(run("image", "list", "--root", root).out()).contains("/a\\u001b[2J");
        assertThat(run("image", "list", "--root", root, "-o", "json").out())
                .contains("/a\\u001b[2J");
        var cdi = Files.createDirectory(directory.resolve("cdi" + ESCAPE));
        Files.writeString(
                cdi.resolve("x.json"),
                """
                {"cdiVersion": "0.6.0", "kind": "vendor.com/\\u001b[2J", "devices": [
                 {"name": "\\u001b[2J\\u202e", "containerEdits": {"env": ["A=\\u009b"]}}]}\
                """);
        run("cdi", "list", "--cdi-dir", cdi.toString());
        run("cdi", "validate", cdi.resolve("x.json").toString());
    }

    @Test
    void helpIsPrintedAsItIs() {
        assertThat(CommandRun.of("--help").exitCode()).isZero();
        assertThat(CommandRun.of("lint", "--help").out()).contains("Usage:");
        assertThat(CommandRun.of("--version").out()).startsWith("berth ");
    }
}
