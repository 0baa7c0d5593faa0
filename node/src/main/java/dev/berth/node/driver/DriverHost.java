package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.core.publish.DesiredPool;
import dev.berth.metrics.CallbackMetric;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.node.cdi.CdiDirectory;
import dev.berth.node.socket.SocketServer;
import io.grpc.BindableService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// A running driver: serves the kubelet, publishes slices and reports health until it is closed.
///
/// Thread-safe. Slices stay in the cluster after close: the kubelet deletes them when no other
/// instance of the driver registers within 30 seconds.
public final class DriverHost implements AutoCloseable {

    private final DriverOptions options;
    private final ClaimRecords records;
    private final CallbackMetric.Registration preparedClaimsMetric;
    private final SlicePublisher publisher;
    private final HealthReports health;
    private final RegistrationService registrationService;
    private final RegistrationWait registrationWait;
    private final SocketServer service;
    private final SocketServer registration;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private DriverHost(
            DriverOptions options, Cluster cluster, Driver<?> driver, ClaimCdiSpecs specs)
            throws IOException {
        this.options = options;
        this.records = new ClaimRecords(options.data().resolve("claims"));
        var metrics = new DriverMetrics(options.metrics(), options.driver());
        this.preparedClaimsMetric = metrics.observe(records);
        this.health = new HealthReports(options.clock());
        var prepareService = new ClaimPrepareService<>(options, cluster, driver, records, specs);
        var dra = new DraServices(prepareService, metrics);
        var services = new ArrayList<BindableService>(List.of(dra.v1(), dra.v1beta1()));
        if (options.hasHealth()) {
            services.add(health.v1());
            services.add(health.v1alpha1());
        }
        // The kubelet calls the service as soon as it finds the registration socket, so the service
        // starts first.
        this.service = SocketServer.start(SocketNames.service(options), services);
        this.registrationService = new RegistrationService(options, service.socket());
        var waits = new WaitReport(options.problems());
        this.registrationWait =
                new RegistrationWait(
                        options,
                        waits,
                        RegistrationWait.TIMEOUT,
                        registrationService::isRegistered);
        try {
            this.registration =
                    SocketServer.start(
                            SocketNames.registration(options), List.of(registrationService));
        } catch (IOException e) {
            service.close();
            throw e;
        }
        registrationWait.start();
        this.publisher = new SlicePublisher(options, cluster, metrics, waits);
    }

    /// Starts a driver: kubelets discover it and call it for claims.
    ///
    /// @param cluster stays owned by the caller, who closes it after the host
    /// @throws DriverException when the driver cannot start
    public static DriverHost start(DriverOptions options, Cluster cluster, Driver<?> driver)
            throws DriverException {
        var specs = new ClaimCdiSpecs(options.driver(), new CdiDirectory(options.cdi()));
        var problem = specs.problem();
        if (problem.isPresent()) {
            throw new DriverException(
                    "driver name \"%s\" is not a valid CDI vendor: %s"
                            .formatted(options.driver(), problem.get()));
        }
        try {
            return new DriverHost(options, cluster, driver, specs);
        } catch (IOException e) {
            throw new DriverException(
                    "driver %s cannot start: %s".formatted(options.driver(), reason(e)), e);
        }
    }

    /// The reason of an I/O error. The message of an AccessDeniedException is only a file name.
    private static String reason(IOException e) {
        return e instanceof AccessDeniedException denied
                ? "no permission to write %s; run it as root, or set KUBELET_ROOT and CDI_ROOT"
                        .formatted(denied.getFile())
                : String.valueOf(e.getMessage());
    }

    /// Publishes the devices of this node, in one pool with the node's name. They replace the
    /// devices published before. Slices and pool generations are derived from them.
    public void publish(List<Device> devices) {
        publishPools(
                List.of(
                        DesiredPool.of(
                                new PoolId(options.driver(), options.node()),
                                new NodeScope.OneNode(options.node()),
                                devices)));
    }

    /// Publishes the driver's pools: pools of this node, with or without shared counters, and pools
    /// without a node.
    ///
    /// Pools that were published before and are absent now are deleted. Of pools without a node
    /// only those that this host has published are deleted.
    ///
    /// @throws IllegalArgumentException for a pool of another driver or node, or a duplicate device
    ///   or pool
    public void publishPools(List<DesiredPool> pools) {
        var ids = new HashSet<PoolId>();
        for (var pool : pools) {
            check(pool, ids.add(pool.id()));
        }
        publisher.publish(pools);
    }

    private void check(DesiredPool pool, boolean isNew) {
        if (!pool.id().driver().equals(options.driver())) {
            throw new IllegalArgumentException(
                    "pool %s does not belong to driver %s".formatted(pool.id(), options.driver()));
        }
        if (!isNew) {
            throw new IllegalArgumentException(
                    "pool %s is published twice; publish each pool once".formatted(pool.id()));
        }
        if (pool.scope() instanceof NodeScope.OneNode(var node) && !node.equals(options.node())) {
            throw new IllegalArgumentException(
                    "pool %s belongs to node %s, but the driver runs on %s"
                            .formatted(pool.id(), node, options.node()));
        }
        var names = new HashSet<String>();
        for (var device : pool.devices()) {
            if (!names.add(device.name())) {
                throw new IllegalArgumentException(
                        "pool %s: device \"%s\" is published twice; publish each name once"
                                .formatted(pool.id(), device.name()));
            }
        }
    }

    /// Reports the health of devices; requires [DriverOptions#withHealth].
    public void reportHealth(List<DeviceHealth> devices) {
        if (!options.hasHealth()) {
            throw new IllegalStateException(
                    "driver %s reports no health; enable it by DriverOptions.withHealth()"
                            .formatted(options.driver()));
        }
        health.put(devices);
    }

    /// True if the cluster has the pools that were published last.
    public boolean isPublished() {
        return publisher.isPublished();
    }

    /// True if a kubelet has registered the driver.
    public boolean isRegistered() {
        return registrationService.isRegistered();
    }

    /// All claims that are prepared or partly prepared, also by an earlier instance, for drivers
    /// that keep state other than files.
    public List<PreparedClaim> preparedClaims() throws IOException {
        return records.all().stream().map(ClaimRecord::toPrepared).toList();
    }

    /// The metrics of [DriverOptions#metrics] in the Prometheus text format.
    public String metrics() {
        return new String(options.metrics().expose("").bytes(), StandardCharsets.UTF_8);
    }

    /// Serves until the process receives a termination signal, and shuts down gracefully.
    public void serve() throws InterruptedException {
        var hook = new Thread(this::close, "driver-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        closed.await();
    }

    /// Deregisters the driver and waits for calls in flight. Prepared claims stay prepared.
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        registrationWait.close();
        registration.close();
        health.close();
        service.close(options.shutdownTimeout());
        publisher.close();
        preparedClaimsMetric.close();
        closed.countDown();
    }
}
