package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.api.Device;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.PoolId;
import dev.berth.node.cdi.CdiDirectory;
import dev.berth.node.socket.SocketServer;
import io.grpc.BindableService;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// A driver at work on a node, until it is closed.
///
/// May be used by many threads. Slices stay when it is closed: the kubelet removes them when no
/// other instance of the driver comes within half a minute.
public final class DriverHost implements AutoCloseable {

    private final DriverOptions options;
    private final ClaimRecords records;
    private final DriverMetrics metrics;
    private final SlicePublisher publisher;
    private final HealthReports health;
    private final RegistrationService registrar;
    private final RegistrationWait registrationWait;
    private final SocketServer service;
    private final SocketServer registration;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private DriverHost(
            DriverOptions options, Cluster cluster, Driver<?> driver, ClaimDocuments documents)
            throws IOException {
        this.options = options;
        this.records = new ClaimRecords(options.data().resolve("claims"));
        this.metrics = new DriverMetrics(options.driver());
        this.health = new HealthReports(options.clock());
        var desk = new ClaimPrepareService<>(options, cluster, driver, records, documents);
        var dra = new DraServices(desk, metrics);
        var services = new ArrayList<BindableService>(List.of(dra.v1(), dra.v1beta1()));
        if (options.hasHealth()) {
            services.add(health.v1());
            services.add(health.v1alpha1());
        }
        // Whoever finds the registration calls at once, so the service comes first.
        this.service = SocketServer.start(SocketNames.service(options), services);
        this.registrar = new RegistrationService(options, service.socket());
        var waits = new WaitReport(options.problems());
        this.registrationWait =
                new RegistrationWait(
                        options, waits, RegistrationWait.PATIENCE, registrar::isRegistered);
        try {
            this.registration =
                    SocketServer.start(SocketNames.registration(options), List.of(registrar));
        } catch (IOException e) {
            service.close();
            throw e;
        }
        registrationWait.start();
        this.publisher = new SlicePublisher(options, cluster, metrics, waits);
    }

    /// Starts a driver: kubelets find it, and call it for claims.
    ///
    /// @param cluster stays the caller's, and is to be closed after the host
    /// @throws DriverException when it cannot be started
    public static DriverHost start(DriverOptions options, Cluster cluster, Driver<?> driver)
            throws DriverException {
        var documents = new ClaimDocuments(options.driver(), new CdiDirectory(options.cdi()));
        var problem = documents.problem();
        if (problem.isPresent()) {
            throw new DriverException(
                    "driver \"%s\" cannot offer devices by CDI: %s"
                            .formatted(options.driver(), problem.get()));
        }
        try {
            return new DriverHost(options, cluster, driver, documents);
        } catch (IOException e) {
            throw new DriverException(
                    "driver %s cannot start: %s".formatted(options.driver(), reason(e)), e);
        }
    }

    /// The message of a denied access is the name of a file and nothing else.
    private static String reason(IOException e) {
        return e instanceof AccessDeniedException denied
                ? "no permission to write %s; run it as root, or set KUBELET_ROOT and CDI_ROOT"
                        .formatted(denied.getFile())
                : String.valueOf(e.getMessage());
    }

    /// Says which devices the node has from now on, in a pool of the node's name. They replace what
    /// was said before; slices, their splitting and generations follow from it.
    public void publish(List<Device> devices) {
        publishPools(
                List.of(
                        DesiredPool.of(
                                new PoolId(options.driver(), options.node()),
                                new NodeScope.OneNode(options.node()),
                                devices)));
    }

    /// Says which pools there are from now on: of the node, with counters, or of no node at all.
    ///
    /// A pool that is no longer there is deleted. Of pools without a node only those that this host
    /// has published.
    ///
    /// @throws IllegalArgumentException for a pool of another driver or node, or a device or pool
    ///   that is there twice
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
                    "pool %s is not of driver %s".formatted(pool.id(), options.driver()));
        }
        if (!isNew) {
            throw new IllegalArgumentException("pool %s is there twice".formatted(pool.id()));
        }
        if (pool.scope() instanceof NodeScope.OneNode(var node) && !node.equals(options.node())) {
            throw new IllegalArgumentException(
                    "pool %s is of node %s, the driver runs on %s"
                            .formatted(pool.id(), node, options.node()));
        }
        var names = new HashSet<String>();
        for (var device : pool.devices()) {
            if (!names.add(device.name())) {
                throw new IllegalArgumentException(
                        "pool %s: device \"%s\" is there twice; publish each name once"
                                .formatted(pool.id(), device.name()));
            }
        }
    }

    /// Says how devices are from now on, for options with [DriverOptions#withHealth].
    public void reportHealth(List<DeviceHealth> devices) {
        if (!options.hasHealth()) {
            throw new IllegalStateException(
                    "driver %s has not said withHealth()".formatted(options.driver()));
        }
        health.put(devices);
    }

    /// True when the cluster has what was published last.
    public boolean isPublished() {
        return publisher.isPublished();
    }

    /// True when a kubelet has accepted the driver.
    public boolean isRegistered() {
        return registrar.isRegistered();
    }

    /// All claims that are prepared or were begun, also by an earlier instance: for drivers that
    /// keep more than files.
    public List<PreparedClaim> preparedClaims() throws IOException {
        return records.all().stream().map(ClaimRecord::toPrepared).toList();
    }

    /// What was done how often, as Prometheus reads it.
    public String metrics() throws IOException {
        return metrics.text(records.all().size());
    }

    /// Serves until the process is told to end, and ends in good order.
    public void serve() throws InterruptedException {
        var hook = new Thread(this::close, "driver-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        closed.await();
    }

    /// Lets kubelets forget the driver, and waits for calls under way. What is prepared stays.
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        registrationWait.close();
        registration.close();
        health.close();
        service.close(options.stopPatience());
        publisher.close();
        closed.countDown();
    }
}
