package dev.berth.server.load;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// A server in a separate process that a test kills.
final class CrashingServer {

    private CrashingServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        var settings = ServerSettings.in(Path.of(arguments[0])).withAddress("127.0.0.1", 0);
        System.out.println(ApiServer.start(settings).uri());
        new CountDownLatch(1).await();
    }
}
