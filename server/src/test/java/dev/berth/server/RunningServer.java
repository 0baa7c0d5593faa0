package dev.berth.server;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// Servers to try clients on.
public final class RunningServer {

    private RunningServer() {}

    /// One as anybody would start it, on a port that is free.
    public static ApiServer durable(Path directory) {
        return ApiServer.start(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
    }

    /// One that forgets everything, with settings of its own.
    public static ApiServer inMemory(Path directory, UnaryOperator<ServerSettings> settings) {
        return ApiServer.start(
                settings.apply(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory())));
    }
}
