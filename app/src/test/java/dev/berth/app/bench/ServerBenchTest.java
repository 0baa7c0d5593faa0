package dev.berth.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ServerBenchTest {

    @ParameterizedTest
    @ValueSource(strings = {"json", "protobuf"})
    void aServerIsMeasuredByItsKubeconfig(String encoding, @TempDir Path directory) {
        var settings =
                ServerSettings.in(directory)
                        .withAddress("127.0.0.1", 0)
                        .withStore(new StoreChoice.Memory());
        var out = new StringWriter();
        try (var server = ApiServer.start(settings)) {
            var code =
                    new CommandLine(new BenchCommand())
                            .setOut(new PrintWriter(out))
                            .setErr(new PrintWriter(new StringWriter()))
                            .setCaseInsensitiveEnumValuesAllowed(true)
                            .execute(
                                    "server",
                                    "--warm-up",
                                    "0",
                                    "--kubeconfig=" + server.kubeconfig(),
                                    "--encoding=" + encoding,
                                    "--clients=1,4",
                                    "--seconds=1",
                                    "--slices=20",
                                    "--watchers=10",
                                    "--output=json");

            assertThat(code).isZero();
        }
        assertThat(out.toString())
                .contains("durable creates of 2 KB claims, 4 clients")
                .contains("list of 20 ResourceSlices, first")
                .contains("list of 20 ResourceSlices, best of 5")
                .contains("ms CPU of the server each")
                .contains("µs CPU of the server each")
                .contains("10 watchers, memory")
                .contains("10 watchers × 100 events, to the last");
    }
}
