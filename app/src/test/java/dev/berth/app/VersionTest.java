package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class VersionTest {

    private static String ofPom() throws IOException {
        var pom = Files.readString(Path.of("..", "pom.xml"));
        var version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    @Test
    void agreesWithThePoms() throws IOException {
        assertThat(CommandRun.of("version").out()).startsWith("berth " + ofPom() + " (");
        assertThat(CommandRun.of("-V").out()).isEqualTo(CommandRun.of("version").out());
        assertThat(CommandRun.of("image", "list", "-V").out())
                .isEqualTo(CommandRun.of("version").out());
    }

    @Test
    void isPrintedForPrograms() throws IOException {
        assertThat(CommandRun.of("version", "-o", "json").out())
                .contains("\"version\": \"%s\"".formatted(ofPom()))
                .contains("\"kubernetes\": \"1.37\"");
    }

    @Test
    void theFormerNameOfTheTextFormatIsAcceptedWithAWarning() {
        var run = CommandRun.of("version", "-o", "table");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo(CommandRun.of("version").out());
        assertThat(run.err()).startsWith("berth: warning: -o table is now -o text");
    }
}
