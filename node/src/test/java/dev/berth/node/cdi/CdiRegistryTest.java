package dev.berth.node.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.node.cdi.CdiRegistry.Resolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CdiRegistryTest {

    @TempDir private Path temporary = Path.of("");
    private Path low = Path.of("");
    private Path high = Path.of("");

    @BeforeEach
    void makeDirectories() throws IOException {
        low = Files.createDirectory(temporary.resolve("low"));
        high = Files.createDirectory(temporary.resolve("high"));
    }

    @Test
    void theLaterDirectoryWins() throws IOException {
        write(low, "a.yaml", "one", "FROM=low");
        write(high, "a.json", "one", "FROM=high");
        write(low, "b.yaml", "two", "FROM=low");
        var registry = scan();
        assertThat(registry.problems()).isEmpty();
        assertThat(resolved(registry, "v.com/gpu=one")).containsExactly("ALL=yes", "FROM=high");
        assertThat(resolved(registry, "v.com/gpu=two")).containsExactly("ALL=yes", "FROM=low");
    }

    @Test
    void duplicatesInOneDirectoryConflict() throws IOException {
        write(low, "a.yaml", "one", "FROM=a");
        write(low, "b.yaml", "one", "FROM=b");
        write(low, "c.yaml", "two", "FROM=c");
        var registry = scan();
        assertThat(registry.devices())
                .extracting(offer -> offer.id().toString())
                .containsExactly("v.com/gpu=two");
        assertThat(registry.problems())
                .containsOnlyKeys(low.resolve("a.yaml"), low.resolve("b.yaml"));
        assertThat(registry.problems().get(low.resolve("a.yaml")))
                .extracting(CdiProblem::message)
                .containsExactly("device v.com/gpu=one is also in " + low.resolve("b.yaml"));
    }

    @Test
    void aConflictIsNotSettledByALaterDirectory() throws IOException {
        write(low, "a.yaml", "one", "FROM=a");
        write(low, "b.yaml", "one", "FROM=b");
        write(high, "c.yaml", "one", "FROM=c");
        assertThat(scan().devices()).isEmpty();
    }

    @Test
    void editsOfTheSpecAreAppliedOnceBeforeTheFirstDevice() throws IOException {
        Files.writeString(
                low.resolve("a.yaml"),
                """
                cdiVersion: 0.5.0
                kind: v.com/gpu
                devices:
                - {name: one, containerEdits: {env: [A=1]}}
                - {name: two, containerEdits: {env: [A=2]}}
                containerEdits: {env: [ALL=yes]}
                """);
        write(low, "b.yaml", "three", "A=3");
        assertThat(resolved(scan(), "v.com/gpu=two", "v.com/gpu=three", "v.com/gpu=one"))
                .containsExactly("ALL=yes", "A=2", "ALL=yes", "A=3", "A=1");
    }

    @Test
    void allUnresolvedDevicesAreReported() throws IOException {
        write(low, "a.yaml", "one", "A=1");
        var registry = scan();
        assertThat(registry.resolve(List.of("v.com/gpu=x", "v.com/gpu=one", "y")))
                .isEqualTo(new Resolution.Unresolved(List.of("v.com/gpu=x", "y")));
        assertThat(
                        registry.inject(
                                List.of("v.com/gpu=x"),
                                JsonObject.EMPTY,
                                new HostDevices(Path.of("/"))))
                .isEqualTo(new OciEdits.Result.Failed("unresolvable CDI devices v.com/gpu=x"));
    }

    @Test
    void otherFilesAndSubdirectoriesAreIgnored() throws IOException {
        write(low, "a.yml", "one", "A=1");
        write(low, ".a.json.tmp", "one", "A=1");
        write(Files.createDirectory(low.resolve("deeper.json")), "a.json", "one", "A=1");
        var registry = CdiRegistry.scan(List.of(low, temporary.resolve("none")));
        assertThat(registry.devices()).isEmpty();
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void anInvalidFileDoesNotAffectOthers() throws IOException {
        write(low, "a.yaml", "one", "A=1");
        Files.writeString(low.resolve("b.yaml"), "kind: v.com/gpu\nnonsense: true\n");
        Files.write(low.resolve("c.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        var registry = scan();
        assertThat(registry.find("v.com/gpu=one")).isPresent();
        assertThat(registry.problems())
                .containsOnlyKeys(low.resolve("b.yaml"), low.resolve("c.yaml"));
    }

    private CdiRegistry scan() throws IOException {
        return CdiRegistry.scan(List.of(low, high));
    }

    private static List<String> resolved(CdiRegistry registry, String... ids) {
        return switch (registry.resolve(List.of(ids))) {
            case Resolution.Resolved(var edits) -> edits.env();
            case Resolution.Unresolved(var missing) -> throw new AssertionError(missing);
        };
    }

    private static void write(Path directory, String name, String device, String env)
            throws IOException {
        Files.writeString(
                directory.resolve(name),
                """
                {"cdiVersion": "0.5.0", "kind": "v.com/gpu",
                 "devices": [{"name": "%s", "containerEdits": {"env": ["%s"]}}],
                 "containerEdits": {"env": ["ALL=yes"]}}
                """
                        .formatted(device, env));
    }
}
