package dev.berth.node.driver;

import dev.berth.wire.health.v1.DRAResourceHealthGrpc;
import dev.berth.wire.health.v1.DeviceIdentifier;
import dev.berth.wire.health.v1.HealthStatus;
import dev.berth.wire.health.v1.NodeWatchResourcesRequest;
import dev.berth.wire.health.v1.NodeWatchResourcesResponse;
import io.grpc.BindableService;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/// How devices are, for everybody who watches.
///
/// It is told again before a kubelet stops believing it, so drivers need to say only what changes.
final class HealthReports implements AutoCloseable {

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

    /// What a driver has said, and when.
    private record Report(List<DeviceHealth> devices, Instant at, long number) {}

    private final Clock clock;
    private final Set<Thread> streams = ConcurrentHashMap.newKeySet();

    // Guards the report.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Optional<Report> report = Optional.empty();

    HealthReports(Clock clock) {
        this.clock = clock;
    }

    void put(List<DeviceHealth> devices) {
        lock.lock();
        try {
            var number = report.map(old -> old.number + 1).orElse(0L);
            report = Optional.of(new Report(List.copyOf(devices), clock.instant(), number));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    BindableService v1() {
        return new DRAResourceHealthGrpc.DRAResourceHealthImplBase() {
            @Override
            public void nodeWatchResources(
                    NodeWatchResourcesRequest request,
                    StreamObserver<NodeWatchResourcesResponse> observer) {
                serve(observer, HealthReports::v1);
            }
        };
    }

    BindableService v1alpha1() {
        return new dev.berth.wire.health.v1alpha1.DRAResourceHealthGrpc
                .DRAResourceHealthImplBase() {
            @Override
            public void nodeWatchResources(
                    dev.berth.wire.health.v1alpha1.NodeWatchResourcesRequest request,
                    StreamObserver<dev.berth.wire.health.v1alpha1.NodeWatchResourcesResponse>
                            observer) {
                serve(observer, HealthReports::v1alpha1);
            }
        };
    }

    /// A thread for each stream: the one that calls must be free to hear that it was cancelled.
    private <M> void serve(
            StreamObserver<M> observer, BiFunction<List<DeviceHealth>, Instant, M> message) {
        var stream = (ServerCallStreamObserver<M>) observer;
        var thread = Thread.ofVirtual().name("health").unstarted(() -> run(stream, message));
        stream.setOnCancelHandler(thread::interrupt);
        streams.add(thread);
        thread.start();
    }

    private <M> void run(
            ServerCallStreamObserver<M> stream,
            BiFunction<List<DeviceHealth>, Instant, M> message) {
        try {
            for (var last = -1L; !stream.isCancelled(); ) {
                var next = next(last);
                stream.onNext(message.apply(next.devices, next.at));
                last = next.number;
            }
        } catch (InterruptedException _) {
            finish(stream);
        } catch (StatusRuntimeException | IllegalStateException _) {
            // Whoever watched is gone.
        } finally {
            streams.remove(Thread.currentThread());
        }
    }

    private static void finish(ServerCallStreamObserver<?> stream) {
        if (!stream.isCancelled()) {
            stream.onCompleted();
        }
    }

    /// Waits for a report after that number, or until the last one has to be repeated.
    private Report next(long last) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (report.isEmpty()) {
                changed.await();
            }
            var left = pause(report.get()).toNanos();
            while (report.get().number <= last && left > 0) {
                left = changed.awaitNanos(left);
            }
            return report.get();
        } finally {
            lock.unlock();
        }
    }

    /// A third of the shortest time for which anything holds.
    private static Duration pause(Report report) {
        var shortest =
                report.devices.stream()
                        .map(DeviceHealth::validity)
                        .min(Duration::compareTo)
                        .orElse(DeviceHealth.USUAL_VALIDITY)
                        .dividedBy(3);
        return shortest.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : shortest;
    }

    private static NodeWatchResourcesResponse v1(List<DeviceHealth> devices, Instant at) {
        var message = NodeWatchResourcesResponse.newBuilder();
        for (var device : devices) {
            message.addDevices(
                    dev.berth.wire.health.v1.DeviceHealth.newBuilder()
                            .setDevice(
                                    DeviceIdentifier.newBuilder()
                                            .setPoolName(device.pool())
                                            .setDeviceName(device.device()))
                            .setHealth(HealthStatus.valueOf(device.status().name()))
                            .setLastUpdatedTime(at.getEpochSecond())
                            .setHealthCheckTimeoutSeconds(device.validity().toSeconds())
                            .setMessage(device.message()));
        }
        return message.build();
    }

    private static dev.berth.wire.health.v1alpha1.NodeWatchResourcesResponse v1alpha1(
            List<DeviceHealth> devices, Instant at) {
        var message = dev.berth.wire.health.v1alpha1.NodeWatchResourcesResponse.newBuilder();
        for (var device : devices) {
            message.addDevices(
                    dev.berth.wire.health.v1alpha1.DeviceHealth.newBuilder()
                            .setDevice(
                                    dev.berth.wire.health.v1alpha1.DeviceIdentifier.newBuilder()
                                            .setPoolName(device.pool())
                                            .setDeviceName(device.device()))
                            .setHealth(
                                    dev.berth.wire.health.v1alpha1.HealthStatus.valueOf(
                                            device.status().name()))
                            .setLastUpdatedTime(at.getEpochSecond())
                            .setHealthCheckTimeoutSeconds(device.validity().toSeconds())
                            .setMessage(device.message()));
        }
        return message.build();
    }

    /// Ends all streams.
    @Override
    public void close() {
        streams.forEach(Thread::interrupt);
        try {
            for (var stream : streams) {
                stream.join(SHORTEST_PAUSE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
