package dev.berth.app.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.config.ConfigException;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigContextTest {

    private static final String OTHERS =
            """
            # Comments are lost.
            apiVersion: v1
            kind: Config
            preferences: {colors: true}
            clusters: [{name: prod, cluster: {server: "https://10.0.0.1", unknown: [1, "2"]}}]
            users: [{name: prod, user: {exec: {command: aws, env: null}}}]
            contexts: [{name: prod, context: {cluster: prod, user: prod, namespace: ml}}]
            current-context: prod
            """;

    @TempDir private Path directory;
    private Path data;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        data = Files.createDirectories(directory.resolve("my data"));
        file = directory.resolve("config");
        Files.writeString(
                data.resolve("kubeconfig"),
                """
                clusters: [{name: berth, cluster: {server: "https://127.0.0.1:6443"}}]
                users: [{name: berth, user: {client-key-data: secret}}]
                contexts: [{name: berth, context: {cluster: berth, user: berth}}]
                """);
    }

    private String write() {
        return KubeconfigContext.write(file, data, data.resolve("kubeconfig"));
    }

    @Test
    void otherEntriesAreKeptAndComeBack() throws IOException {
        Files.writeString(file, OTHERS);
        assertThat(write()).isEqualTo("berth-my-data");
        assertThat(write()).as("a second start").isEqualTo("berth-my-data");
        var written = KubeconfigFile.read(file);
        assertThat(written.text("current-context")).isEqualTo("berth-my-data");
        assertThat(written.objects("contexts"))
                .extracting(one -> one.text("name"))
                .containsExactly("prod", "berth-my-data");
        assertThat(written.objects("users").getLast().objectOrEmpty("user").text("client-key-data"))
                .isEqualTo("secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        assertThat(KubeconfigContext.remove(data)).contains("berth-my-data");
        assertThat(KubeconfigFile.read(file)).isEqualTo(tree(OTHERS));
        assertThat(KubeconfigContext.remove(data)).isEmpty();
    }

    @Test
    void aMissingFileIsCreated() {
        file = directory.resolve("new").resolve("config");
        write();
        assertThat(KubeconfigFile.read(file).text("kind")).isEqualTo("Config");
        KubeconfigContext.remove(data);
        assertThat(KubeconfigFile.read(file).text("current-context")).isEmpty();
    }

    @Test
    void anotherCurrentContextStays() throws IOException {
        Files.writeString(file, OTHERS);
        write();
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("current-context: berth-my-data", "current-context: else"));
        KubeconfigContext.remove(data);
        assertThat(KubeconfigFile.read(file).text("current-context")).isEqualTo("else");
    }

    @Test
    void aLinkStaysALink() throws IOException {
        var target = directory.resolve("target");
        Files.writeString(target, OTHERS);
        Files.createSymbolicLink(file, target);
        write();
        assertThat(file).isSymbolicLink();
        assertThat(Files.readString(target)).contains("berth-my-data");
    }

    @Test
    void aBrokenFileIsNotChanged() throws IOException {
        Files.writeString(file, "a: [");
        assertThatThrownBy(this::write)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("it was not changed");
        assertThat(file).hasContent("a: [");
        assertThat(directory.resolve("config.lock")).doesNotExist();
    }

    private static Object tree(String text) {
        return YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                ? documents.getFirst().root()
                : "";
    }
}
