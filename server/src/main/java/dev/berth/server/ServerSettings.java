package dev.berth.server;

import dev.berth.core.admission.FeatureGates;
import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.server.http.HttpListener;
import dev.berth.server.http.ServerLimits;
import dev.berth.server.kinds.KindOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/// How a server is to run.
///
/// @param directory where it keeps its keys and, by default, its objects
/// @param names by which clients reach it, beside the usual local ones
/// @param deviceVersions the versions of resource.k8s.io that are served
/// @param takesDoubleGrants whether one device may be given to two claims, as in Kubernetes
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
        boolean takesDoubleGrants,
        SecurityLevel podSecurity) {

    /// The usual port of Kubernetes.
    public static final int PORT = 6443;

    public ServerSettings {
        names = List.copyOf(names);
        deviceVersions = List.copyOf(deviceVersions);
    }

    /// What is right for most: on this machine only, with SQLite.
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
                takesDoubleGrants,
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
                takesDoubleGrants,
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
                takesDoubleGrants,
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
                takesDoubleGrants,
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
                takesDoubleGrants,
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
                takesDoubleGrants,
                podSecurity);
    }

    /// As a server of Kubernetes, which leaves it to schedulers that no device is given twice.
    public ServerSettings takingDoubleGrants() {
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
                takesDoubleGrants,
                level);
    }
}
