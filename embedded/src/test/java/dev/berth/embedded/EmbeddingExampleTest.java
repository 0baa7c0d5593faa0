package dev.berth.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compiles and runs the program of `docs/embedding.md`, which ends when its pod runs.
class EmbeddingExampleTest {

    private static final Path PAGE = Path.of("..", "docs", "embedding.md");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

    @Test
    void theProgramOfTheDocumentationRuns(@TempDir Path directory) throws Exception {
        var source = Files.writeString(directory.resolve("OneGpu.java"), program());
        assertThat(compile(source, directory)).isEmpty();
        try (var loader = new URLClassLoader(new java.net.URL[] {directory.toUri().toURL()})) {
            var main = loader.loadClass("OneGpu").getMethod("main", String[].class);
            main.invoke(null, (Object) new String[0]);
        }
    }

    private static String program() throws IOException {
        var found = JAVA.matcher(Files.readString(PAGE));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    /// Messages of the compiler.
    private static String compile(Path source, Path output) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options =
                    List.of(
                            "-d",
                            output.toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-Xlint:all,-path,-processing");
            var units = files.getJavaFileObjects(source);
            compiler.getTask(messages, files, null, options, null, units).call();
        }
        return messages.toString();
    }
}
