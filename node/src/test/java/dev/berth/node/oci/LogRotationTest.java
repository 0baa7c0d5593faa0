package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.node.logs.LogFiles;
import dev.berth.node.logs.LogRotation;
import dev.berth.node.runtime.LogLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Log rotation of real containers.
class LogRotationTest {

    private static final long KIB = 1 << 10;

    @Test
    void noLineIsLost() throws Exception {
        var limits = new LogLimits(256 * KIB, 1000);
        try (var rig = RuntimeRig.start(limits)) {
            var spec = rig.spec("seq 200000; sleep 1000").build();
            rig.start(rig.sandbox(), spec);
            try (var _ = new LogRotation(rig.runtime(), rig.runtime()::containers, limits)) {
                Eventually.holds(() -> files(spec.log()).size() > 1);
                Eventually.holds(() -> lines(spec.log()).contains("200000"));
            }
            var expected = new ArrayList<String>();
            for (var i = 1; i <= 200_000; i++) {
                expected.add(Integer.toString(i));
            }
            assertThat(lines(spec.log()).equals(expected)).as("all lines in order").isTrue();
        }
    }

    @Test
    void theSizeOfALogIsLimited() throws Exception {
        var limits = new LogLimits(256 * KIB, 3);
        try (var rig = RuntimeRig.start(limits)) {
            var spec = rig.spec("seq 1000000; echo end; sleep 1000").build();
            rig.start(rig.sandbox(), spec);
            try (var _ = new LogRotation(rig.runtime(), rig.runtime()::containers, limits)) {
                Eventually.holds(() -> lines(spec.log()).contains("end"));
                Eventually.holds(() -> files(spec.log()).size() <= 3);
            }
            // conmon limits each file to the total limit.
            assertThat(files(spec.log()))
                    .allSatisfy(file ->
                            assertThat(file)
                                    .satisfies(one ->
                                            assertThat(Files.size(one))
                                                    .isLessThanOrEqualTo(3 * 256 * KIB)));
        }
    }

    @Test
    void withoutAnAgentALogIsLimited() throws Exception {
        try (var rig = RuntimeRig.start(new LogLimits(64 * KIB, 2))) {
            var spec = rig.spec("seq 100000").build();
            rig.ended(rig.start(rig.sandbox(), spec));
            assertThat(Files.size(spec.log())).isLessThanOrEqualTo(128 * KIB);
            assertThat(lines(spec.log())).endsWith("100000");
        }
    }

    @Test
    void aRenamedLogThatWasNotReopenedIsFound() throws Exception {
        var limits = new LogLimits(256 * KIB, 3);
        try (var rig = RuntimeRig.start(limits)) {
            var spec = rig.spec("seq 1 3; while ! test -e /go; do sleep 0.1; done; echo 4").build();
            var id = rig.start(rig.sandbox(), spec);
            Eventually.holds(() -> lines(spec.log()).contains("3"));
            Files.move(spec.log(), spec.log().resolveSibling(spec.log().getFileName() + ".1"));
            try (var _ = new LogRotation(rig.runtime(), rig.runtime()::containers, limits)) {
                Eventually.holds(() -> Files.exists(spec.log()));
            }
            var go = List.of("touch", "/go");
            var _ = rig.runtime().run(id, go, Duration.ofSeconds(30));
            rig.ended(id);
            assertThat(lines(spec.log())).containsExactly("1", "2", "3", "4");
        }
    }

    private static List<Path> files(Path log) {
        try {
            var all = new ArrayList<Path>();
            new LogFiles(log).rotated().forEach(one -> all.add(one.path()));
            all.add(log);
            return all;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The printed text of all files; a file that is renamed meanwhile is omitted.
    private static List<String> lines(Path log) {
        var lines = new ArrayList<String>();
        var part = new StringBuilder();
        for (var file : files(log)) {
            for (var line : written(file).lines().toList()) {
                var fields = line.split(" ", 4);
                part.append(fields[3]);
                if (fields[2].equals("F")) {
                    lines.add(part.toString());
                    part.setLength(0);
                }
            }
        }
        return lines;
    }

    /// The lines of a file, without one that is being written.
    private static String written(Path file) {
        try {
            var text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1);
        } catch (IOException _) {
            return "";
        }
    }
}
