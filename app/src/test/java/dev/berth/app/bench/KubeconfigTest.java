package dev.berth.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {

    @Test
    void opensTheServerThatWroteIt(@TempDir Path directory) throws IOException {
        var settings =
                ServerSettings.in(directory)
                        .withAddress("127.0.0.1", 0)
                        .withStore(new StoreChoice.Memory());
        try (var server = ApiServer.start(settings);
                var connection = Connection.to(Kubeconfig.read(server.kubeconfig()))) {
            assertThat(connection.send("GET", "/api/v1/namespaces", new byte[0]).status())
                    .isEqualTo(200);
        }
    }
}
