package dev.berth.server;

import dev.berth.core.admission.FeatureGates;
import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.server.http.HttpListener;
import dev.berth.server.http.ServerLimits;
import dev.berth.server.kinds.KindOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/// The configuration of a server.
///
/// @param directory directory of its keys and, by default, its objects
/// @param names additional DNS names and addresses of the serving certificate
/// @param deviceVersions the served versions of resource.k8s.io
/// @param allowsDoubleAllocation whether a device may be allocated to two claims, as in Kubernetes
/// @param podSecurity the Pod Security level of namespaces without labels
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
        SecurityLevel podSecurity) {

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
                SecurityLevel.PRIVILEGED);
    }

    public ServerSettings withStore(StoreChoice choice) {
        return new ServerSettings(
                directory,
                choice,
                address,
                names,
                gates,
                deviceVersions,
                limits,
                clock,
                allowsDoubleAllocation,
                podSecurity);
    }

    public ServerSettings withAddress(String host, int port) {
        var changed = new HttpListener.Address(host, port);
        return new ServerSettings(
                directory,
                store,
                changed,
                names,
                gates,
                deviceVersions,
                limits,
                clock,
                allowsDoubleAllocation,
                podSecurity);
    }

    public ServerSettings withNames(List<String> more) {
        return new ServerSettings(
                directory,
                store,
                address,
                more,
                gates,
                deviceVersions,
                limits,
                clock,
                allowsDoubleAllocation,
                podSecurity);
    }

    public ServerSettings withGates(FeatureGates changed) {
        return new ServerSettings(
                directory,
                store,
                address,
                names,
                changed,
                deviceVersions,
                limits,
                clock,
                allowsDoubleAllocation,
                podSecurity);
    }

    public ServerSettings withLimits(ServerLimits changed) {
        return new ServerSettings(
                directory,
                store,
                address,
                names,
                gates,
                deviceVersions,
                changed,
                clock,
                allowsDoubleAllocation,
                podSecurity);
    }

    public ServerSettings withClock(Clock changed) {
        return new ServerSettings(
                directory,
                store,
                address,
                names,
                gates,
                deviceVersions,
                limits,
                changed,
                allowsDoubleAllocation,
                podSecurity);
    }

    /// Does not check that devices are allocated once, like the API server of Kubernetes, which
    /// relies on schedulers for this.
    public ServerSettings allowingDoubleAllocation() {
        return new ServerSettings(
                directory,
                store,
                address,
                names,
                gates,
                deviceVersions,
                limits,
                clock,
                true,
                podSecurity);
    }

    public ServerSettings withPodSecurity(SecurityLevel level) {
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
                level);
    }
}
