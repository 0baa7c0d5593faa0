package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.node.socket.SocketServer;
import dev.berth.wire.registration.InfoRequest;
import dev.berth.wire.registration.PluginInfo;
import dev.berth.wire.registration.RegistrationGrpc;
import dev.berth.wire.registration.RegistrationStatus;
import dev.berth.wire.registration.RegistrationStatusResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Registration of drivers beside broken ones.
class PluginWatcherTest {

    private final List<AutoCloseable> open = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private Path directory;
    private PluginWatcher plugins;

    @BeforeEach
    void start() throws Exception {
        directory = Files.createTempDirectory("pw");
        plugins = new PluginWatcher(directory, Duration.ofHours(1));
        open.add(plugins);
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        for (var one : open.reversed()) {
            one.close();
        }
        try (var all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Test
    void anInvalidEndpointIsReportedAndAffectsNoOtherDriver() throws Exception {
        var broken = driver("nul", "nul.example.com", "/tmp/\u0000");
        Eventually.holds("it is reported", () -> !broken.statuses.isEmpty());
        assertThat(broken.statuses.getFirst().getPluginRegistered()).isFalse();
        assertThat(broken.statuses.getFirst().getError())
                .contains("endpoint \"/tmp/?\" is not a path");
        var good = driver("good", "good.example.com", "");
        Eventually.holds("another is registered", () -> good.isRegistered());
        assertThat(plugins.drivers()).containsExactly("good.example.com");
    }

    @Test
    void aDriverThatHangsDelaysNoOther() throws Exception {
        var hanging = new HangingDriver();
        open.add(SocketServer.start(directory.resolve("hanging-reg.sock"), List.of(hanging)));
        hanging.called.await();
        var good = driver("good", "good.example.com", "");
        Eventually.holds("another is registered", () -> good.isRegistered());
        assertThat(plugins.drivers()).containsExactly("good.example.com");
    }

    @Test
    void aRefusedDriverIsRetried() throws Exception {
        var driver = driver("late", "not a name", "");
        Eventually.holds("it is reported", () -> !driver.statuses.isEmpty());
        driver.info = info("late.example.com", "");
        Eventually.holds("it is registered", () -> driver.isRegistered());
        assertThat(plugins.drivers()).containsExactly("late.example.com");
    }

    private RecordingDriver driver(String socket, String name, String endpoint) throws Exception {
        var driver = new RecordingDriver();
        driver.info = info(name, endpoint);
        open.add(SocketServer.start(directory.resolve(socket + "-reg.sock"), List.of(driver)));
        return driver;
    }

    private static PluginInfo info(String name, String endpoint) {
        return PluginInfo.newBuilder()
                .setType("DRAPlugin")
                .setName(name)
                .setEndpoint(endpoint)
                .addSupportedVersions("v1.DRAPlugin")
                .build();
    }

    /// A driver that records its registration status.
    private static class RecordingDriver extends RegistrationGrpc.RegistrationImplBase {

        final List<RegistrationStatus> statuses = new CopyOnWriteArrayList<>();
        volatile PluginInfo info = PluginInfo.getDefaultInstance();

        boolean isRegistered() {
            return statuses.stream().anyMatch(RegistrationStatus::getPluginRegistered);
        }

        @Override
        public void getInfo(InfoRequest request, StreamObserver<PluginInfo> to) {
            to.onNext(info);
            to.onCompleted();
        }

        @Override
        public void notifyRegistrationStatus(
                RegistrationStatus request, StreamObserver<RegistrationStatusResponse> to) {
            statuses.add(request);
            to.onNext(RegistrationStatusResponse.getDefaultInstance());
            to.onCompleted();
        }
    }

    /// A driver that does not respond before the test ends.
    private final class HangingDriver extends RecordingDriver {

        final CountDownLatch called = new CountDownLatch(1);

        @Override
        public void getInfo(InfoRequest request, StreamObserver<PluginInfo> to) {
            called.countDown();
            try {
                end.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
