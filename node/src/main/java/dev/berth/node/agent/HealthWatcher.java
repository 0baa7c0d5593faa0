package dev.berth.node.agent;

import dev.berth.node.agent.DriverHealthReport.Device;
import dev.berth.node.agent.DriverHealthReport.Update;
import dev.berth.wire.health.v1.DRAResourceHealthGrpc;
import dev.berth.wire.health.v1.NodeWatchResourcesRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches the health streams of registered drivers.
final class HealthWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HealthWatcher.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final PluginWatcher plugins;
    private final Clock clock;
    private volatile Runnable onChange = () -> {};
    private final Map<String, DriverHealthReport> byDriver = new ConcurrentHashMap<>();
    private final Thread thread;

    HealthWatcher(PluginWatcher plugins, Clock clock) {
        this.plugins = plugins;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("health").start(this::run);
    }

    /// Sets the callback for a change of any device's health.
    void onChange(Runnable listener) {
        onChange = listener;
    }

    DriverHealthReport.DeviceStatus of(String driver, String pool, String device) {
        return byDriver.getOrDefault(driver, DriverHealthReport.EMPTY)
                .of(new Device(pool, device), clock.instant());
    }

    /// Runs one stream per plugin with a health service.
    private void run() {
        var listeners = new HashMap<DraPlugin, Thread>();
        try {
            while (true) {
                var present = plugins.all();
                listeners
                        .entrySet()
                        .removeIf(entry -> {
                            var isGone = !present.contains(entry.getKey());
                            if (isGone) {
                                entry.getValue().interrupt();
                            }
                            return isGone;
                        });
                for (var plugin : present) {
                    if (plugin.healthVersion().isPresent()) {
                        listeners.computeIfAbsent(plugin, this::listener);
                    }
                }
                expire();
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            listeners.values().forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private Thread listener(DraPlugin plugin) {
        return Thread.ofVirtual()
                .name("health-" + plugin.driver())
                .start(() -> {
                    try {
                        while (listen(plugin)) {
                            Thread.sleep(RETRY);
                        }
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /// Reads a stream until it ends. Returns whether to retry.
    private boolean listen(DraPlugin plugin) {
        try (var reports = reports(plugin)) {
            reports.forEach(updates -> apply(plugin.driver(), updates));
            return true;
        } catch (StatusRuntimeException e) {
            LOG.debug("health of driver {}: {}", plugin.driver(), GrpcErrorText.of(e));
            return e.getStatus().getCode() != Status.Code.UNIMPLEMENTED;
        } catch (RuntimeException e) {
            LOG.warn("health of driver {} cannot be read", plugin.driver(), e);
            return true;
        } finally {
            replace(plugin.driver(), DriverHealthReport.EMPTY);
        }
    }

    private static Stream<List<Update>> reports(DraPlugin plugin) {
        var channel = plugin.channel().channel();
        if (plugin.healthVersion().orElseThrow().equals(DraPlugin.HEALTH_V1)) {
            var stream =
                    DRAResourceHealthGrpc.newBlockingStub(channel)
                            .nodeWatchResources(NodeWatchResourcesRequest.getDefaultInstance());
            return Stream.iterate(stream, one -> one.hasNext(), one -> one)
                    .map(one -> one.next().getDevicesList().stream().map(Health::update).toList());
        }
        var stream =
                dev.berth.wire.health.v1alpha1.DRAResourceHealthGrpc.newBlockingStub(channel)
                        .nodeWatchResources(
                                dev.berth.wire.health.v1alpha1.NodeWatchResourcesRequest
                                        .getDefaultInstance());
        return Stream.iterate(stream, one -> one.hasNext(), one -> one)
                .map(one -> one.next().getDevicesList().stream().map(Health::update).toList());
    }

    /// Converts both versions of the message, which have the same fields.
    private static final class Health {

        private Health() {}

        static Update update(dev.berth.wire.health.v1.DeviceHealth one) {
            return new Update(
                    new Device(one.getDevice().getPoolName(), one.getDevice().getDeviceName()),
                    healthText(one.getHealthValue()),
                    one.getMessage(),
                    Duration.ofSeconds(one.getHealthCheckTimeoutSeconds()));
        }

        static Update update(dev.berth.wire.health.v1alpha1.DeviceHealth one) {
            return new Update(
                    new Device(one.getDevice().getPoolName(), one.getDevice().getDeviceName()),
                    healthText(one.getHealthValue()),
                    one.getMessage(),
                    Duration.ofSeconds(one.getHealthCheckTimeoutSeconds()));
        }

        private static String healthText(int value) {
            return switch (value) {
                case 1 -> "Healthy";
                case 2 -> "Unhealthy";
                default -> "Unknown";
            };
        }
    }

    private void apply(String driver, List<Update> updates) {
        var before = byDriver.getOrDefault(driver, DriverHealthReport.EMPTY);
        replace(driver, before.after(updates, clock.instant()));
    }

    private void replace(String driver, DriverHealthReport next) {
        var before = byDriver.put(driver, next);
        if (!next.differences(before == null ? DriverHealthReport.EMPTY : before).isEmpty()) {
            onChange.run();
        }
    }

    private void expire() {
        Instant now = clock.instant();
        for (var driver : List.copyOf(byDriver.keySet())) {
            var before = byDriver.getOrDefault(driver, DriverHealthReport.EMPTY);
            var next = before.after(List.of(), now);
            if (!next.differences(before).isEmpty() && byDriver.replace(driver, before, next)) {
                onChange.run();
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
