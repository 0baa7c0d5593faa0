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

/// Streams device health to all watching kubelets.
///
/// The last report is repeated before it expires at the kubelet, so drivers report changes only.
final class HealthReports implements AutoCloseable {

    private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

    /// A report of the driver and its time.
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

    /// Serves a stream on a thread of its own: the calling thread must stay free to receive the
    /// cancellation.
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
            // The kubelet closed the stream.
        } finally {
            streams.remove(Thread.currentThread());
        }
    }

    private static void finish(ServerCallStreamObserver<?> stream) {
        if (!stream.isCancelled()) {
            stream.onCompleted();
        }
    }

    /// Waits for a report with a higher number, or until the last report must be repeated.
    private Report next(long last) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (report.isEmpty()) {
                changed.await();
            }
            var left = repeatInterval(report.get()).toNanos();
            while (report.get().number <= last && left > 0) {
                left = changed.awaitNanos(left);
            }
            return report.get();
        } finally {
            lock.unlock();
        }
    }

    /// The interval after which a report is repeated: a third of its shortest validity.
    private static Duration repeatInterval(Report report) {
        var shortest =
                report.devices.stream()
                        .map(DeviceHealth::validity)
                        .min(Duration::compareTo)
                        .orElse(DeviceHealth.DEFAULT_VALIDITY)
                        .dividedBy(3);
        return shortest.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : shortest;
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
                stream.join(MIN_INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
