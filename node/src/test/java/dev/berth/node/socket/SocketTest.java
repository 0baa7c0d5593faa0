package dev.berth.node.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.wire.registration.InfoRequest;
import dev.berth.wire.registration.PluginInfo;
import dev.berth.wire.registration.RegistrationGrpc;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketTest {

    @TempDir private Path temporary = Path.of("");

    private static final class Named extends RegistrationGrpc.RegistrationImplBase {
        private final String name;

        private Named(String name) {
            this.name = name;
        }

        @Override
        public void getInfo(InfoRequest request, StreamObserver<PluginInfo> response) {
            response.onNext(PluginInfo.newBuilder().setName(name).build());
            response.onCompleted();
        }
    }

    @Test
    void aCallSucceeds() throws IOException {
        var socket = temporary.resolve("deep/er/a.sock");
        try (var _ = SocketServer.start(socket, List.of(new Named("a")));
                var channel = new SocketChannel(socket)) {
            assertThat(name(channel)).isEqualTo("a");
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void aStaleSocketIsReplacedAndClientsReconnect() throws IOException {
        var socket = temporary.resolve("a.sock");
        Files.writeString(socket, "left behind");
        try (var channel = new SocketChannel(socket)) {
            try (var _ = SocketServer.start(socket, List.of(new Named("a")))) {
                assertThat(name(channel)).isEqualTo("a");
            }
            // A call at the moment of the disconnect may fail with a broken connection instead.
            while (channel.channel().getState(false) == ConnectivityState.READY) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> name(channel))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e ->
                                    assertThat(e.getStatus().getCode())
                                            .isEqualTo(Status.Code.UNAVAILABLE));
            try (var _ = SocketServer.start(socket, List.of(new Named("b")))) {
                channel.channel().resetConnectBackoff();
                // The client has not detected the new server yet.
                var response =
                        RegistrationGrpc.newBlockingStub(channel.channel())
                                .withWaitForReady()
                                .getInfo(InfoRequest.getDefaultInstance());
                assertThat(response.getName()).isEqualTo("b");
            }
        }
    }

    @Test
    void aPathThatIsTooLongIsRefused() {
        var socket = temporary.resolve("a".repeat(110));
        assertThatThrownBy(() -> SocketServer.start(socket, List.of()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the path of socket %s is too long: the limit of Linux is 107 bytes",
                        socket);
    }

    private static String name(SocketChannel channel) {
        return RegistrationGrpc.newBlockingStub(channel.channel())
                .getInfo(InfoRequest.getDefaultInstance())
                .getName();
    }
}
