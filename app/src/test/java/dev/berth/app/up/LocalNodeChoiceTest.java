package dev.berth.app.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.node.NodeOptions;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The choice `--node local` is saved until `--node none`.
class LocalNodeChoiceTest {

    @TempDir private Path directory;

    @Test
    void theChoiceOfTheLastStartStays() {
        assertThat(real(Optional.empty()).isWanted()).isFalse();
        assertThat(real(Optional.of(LocalNodeChoice.Choice.LOCAL)).isWanted()).isTrue();
        new SavedNodeChoice(
                        "machine", List.of("--drivers=cpu", "--runtime=oci", "--seccomp-default"))
                .write(directory);
        assertThat(real(Optional.empty()).isWanted()).isTrue();
        assertThat(real(Optional.of(LocalNodeChoice.Choice.NONE)).isWanted()).isFalse();
    }

    @Test
    void optionsOfTheNodeAreRememberedAsTheyWereGiven() {
        var command = command();
        command.parseArgs("--nodes=cpu=1", "--drivers", "cpu,disk", "--seccomp-default");
        assertThat(LocalNodeChoice.given(command))
                .containsExactlyInAnyOrder("--drivers=cpu,disk", "--seccomp-default=true");
    }

    @Test
    void aNodeWithoutItsAgentIsNotReady() {
        new SavedNodeChoice("machine", List.of()).write(directory);
        try (var whole = EmbeddedBerth.start(EmbeddedOptions.inMemory(directory))) {
            var nodes = ResourcePath.of(Kinds.NODE);
            var cluster = whole.cluster("test");
            var node =
                    JsonObject.of("apiVersion", Json.of("v1"))
                            .with("kind", Json.of("Node"))
                            .with("metadata", JsonObject.of("name", Json.of("machine")));
            assertThat(cluster.send(Request.Create.of(nodes, "", node)).isDone()).isTrue();
            var none = real(Optional.of(LocalNodeChoice.Choice.NONE));
            assertThat(none.abandon(whole, Instant.now())).contains("machine");
            assertThat(cluster.send(new Request.Get(nodes, "", "machine")))
                    .isInstanceOfSatisfying(
                            RequestResult.Done.class,
                            done ->
                                    assertThat(
                                                    done.object()
                                                            .objectOrEmpty("status")
                                                            .objects("conditions"))
                                            .anyMatch(one ->
                                                    one.text("type").equals("Ready")
                                                            && one.text("status")
                                                                    .equals("Unknown")));
        }
        assertThat(SavedNodeChoice.read(directory)).isEmpty();
    }

    private LocalNodeChoice real(Optional<LocalNodeChoice.Choice> choice) {
        var command = command();
        command.parseArgs();
        return new LocalNodeChoice(directory, choice, new NodeOptions(), command);
    }

    private static CommandLine command() {
        return new CommandLine(new UpCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
