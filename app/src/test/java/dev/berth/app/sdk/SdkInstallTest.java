package dev.berth.app.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SdkInstallTest {

    private static final SourceTree TREE = new SourceTree(Path.of("..").toAbsolutePath());
    private static final Pattern PROTOBUF = Pattern.compile("<protobuf.version>(.*)<");

    @TempDir private Path directory = Path.of("");

    @Test
    void artifactsHavePomJarAndSources() throws IOException {
        var version = new SdkInstaller(TREE).install(directory);
        var node = directory.resolve("dev/berth/node").resolve(version);
        assertThat(node)
                .isDirectoryContaining("glob:**/node-%s.pom".formatted(version))
                .isDirectoryContaining("glob:**/node-%s.jar".formatted(version))
                .isDirectoryContaining("glob:**/node-%s-sources.jar".formatted(version));
        assertThat(directory.resolve("dev/berth/berth-bom").resolve(version))
                .isDirectoryContaining("glob:**/berth-bom-%s.pom".formatted(version));
    }

    @Test
    void allPomsHaveTheSameVersions() throws IOException {
        assertThat(Pom.version(TREE.pom("bom"))).isEqualTo(Pom.version(TREE.pom("")));
        assertThat(protobuf(TREE.pom("bom"))).isEqualTo(protobuf(TREE.pom("")));
    }

    private static String protobuf(Path pom) throws IOException {
        var found = PROTOBUF.matcher(Files.readString(pom));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void theLocalRepositoryIsThatOfTheSettings() throws IOException {
        var maven = Files.createDirectories(directory.resolve(".m2"));
        assertThat(LocalRepository.find(directory)).isEqualTo(maven.resolve("repository"));
        var settings = maven.resolve("settings.xml");
        Files.writeString(settings, "<settings><offline>true</offline></settings>");
        assertThat(LocalRepository.find(directory)).isEqualTo(maven.resolve("repository"));
        Files.writeString(
                settings, "<settings><localRepository>${user.home}/r</localRepository></settings>");
        assertThat(LocalRepository.find(directory)).isEqualTo(directory.resolve("r"));
        Files.writeString(
                settings, "<settings><localRepository>${env.R}</localRepository></settings>");
        assertThatThrownBy(() -> LocalRepository.find(directory))
                .hasMessage(
                        "localRepository in %s is \"${env.R}\"; name the directory with"
                                        .formatted(settings)
                                + " --local-repository");
    }

    @Test
    void helpHasExamples() {
        assertThat(CommandRun.of("sdk", "--help").out()).contains("berth sdk install");
        assertThat(CommandRun.of("sdk", "install", "--help").out())
                .contains("--local-repository", "Examples:");
    }
}
