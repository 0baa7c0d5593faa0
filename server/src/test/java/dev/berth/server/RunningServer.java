package dev.berth.server;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// API servers for tests of clients.
public final class RunningServer {

    private RunningServer() {}

    /// A server with default settings, on a free port.
    public static ApiServer durable(Path directory) {
        return ApiServer.start(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
    }

    /// A server with an in-memory store and custom settings.
    public static ApiServer inMemory(Path directory, UnaryOperator<ServerSettings> settings) {
        return ApiServer.start(
                settings.apply(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory())));
    }
}
