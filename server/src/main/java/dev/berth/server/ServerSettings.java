package dev.berth.server;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.server.http.HttpListener;
import dev.berth.server.http.ServerLimits;
import dev.berth.server.kinds.KindOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/// The configuration of a server.
///
/// @param directory directory of its keys and, by default, its objects
/// @param names additional DNS names and addresses of the serving certificate
/// @param deviceVersions the served versions of resource.k8s.io
/// @param allowsDoubleAllocation whether a device may be allocated to two claims, as in Kubernetes
/// @param podSecurity the Pod Security level of namespaces without labels
/// @param metrics content of `/metrics`: the metrics of the server and of what runs in its process
public record ServerSettings(
        Path directory,
        StoreChoice store,
        HttpListener.Address address,
        List<String> names,
        FeatureGates gates,
        List<String> deviceVersions,
        ServerLimits limits,
        Clock clock,
        boolean allowsDoubleAllocation,
        SecurityLevel podSecurity,
        MetricsRegistry metrics) {

    /// The default port of Kubernetes.
    public static final int PORT = 6443;

    public ServerSettings {
        names = List.copyOf(names);
        deviceVersions = List.copyOf(deviceVersions);
    }

    /// The defaults: listens on loopback and stores objects in SQLite.
    public static ServerSettings in(Path directory) {
        return new ServerSettings(
                directory,
                new StoreChoice.Sqlite(),
                new HttpListener.Address("127.0.0.1", PORT),
                List.of(),
                FeatureGates.defaults(),
                KindOptions.ALL_DEVICE_VERSIONS,
                ServerLimits.DEFAULT,
                Clock.systemUTC(),
                false,
                SecurityLevel.PRIVILEGED,
                MetricsRegistry.ofProcess());
    }

    public ServerSettings withStore(StoreChoice choice) {
        return with(copy -> copy.store = choice);
    }

    public ServerSettings withAddress(String host, int port) {
        var changed = new HttpListener.Address(host, port);
        return with(copy -> copy.address = changed);
    }

    public ServerSettings withNames(List<String> more) {
        return with(copy -> copy.names = more);
    }

    public ServerSettings withGates(FeatureGates changed) {
        return with(copy -> copy.gates = changed);
    }

    public ServerSettings withLimits(ServerLimits changed) {
        return with(copy -> copy.limits = changed);
    }

    public ServerSettings withClock(Clock changed) {
        return with(copy -> copy.clock = changed);
    }

    /// Does not check that devices are allocated once, like the API server of Kubernetes, which
    /// relies on schedulers for this.
    public ServerSettings allowingDoubleAllocation() {
        return with(copy -> copy.allowsDoubleAllocation = true);
    }

    public ServerSettings withPodSecurity(SecurityLevel level) {
        return with(copy -> copy.podSecurity = level);
    }

    public ServerSettings withMetrics(MetricsRegistry registry) {
        return with(copy -> copy.metrics = registry);
    }

    private ServerSettings with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.build();
    }

    /// The components by name, for copies with changes.
    private static final class Copy {
        private Path directory;
        private StoreChoice store;
        private HttpListener.Address address;
        private List<String> names;
        private FeatureGates gates;
        private List<String> deviceVersions;
        private ServerLimits limits;
        private Clock clock;
        private boolean allowsDoubleAllocation;
        private SecurityLevel podSecurity;
        private MetricsRegistry metrics;

        Copy(ServerSettings from) {
            directory = from.directory;
            store = from.store;
            address = from.address;
            names = from.names;
            gates = from.gates;
            deviceVersions = from.deviceVersions;
            limits = from.limits;
            clock = from.clock;
            allowsDoubleAllocation = from.allowsDoubleAllocation;
            podSecurity = from.podSecurity;
            metrics = from.metrics;
        }

        ServerSettings build() {
            return new ServerSettings(
                    directory,
                    store,
                    address,
                    names,
                    gates,
                    deviceVersions,
                    limits,
                    clock,
                    allowsDoubleAllocation,
                    podSecurity,
                    metrics);
        }
    }
}
