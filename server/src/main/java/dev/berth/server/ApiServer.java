package dev.berth.server;

import dev.berth.model.text.FailureText;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.KubeconfigWriter;
import dev.berth.server.http.Endpoint;
import dev.berth.server.http.InProcessApi;
import dev.berth.server.lifecycle.ServerControllers;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.nodes.SimulatedLogs;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.Registry;
import dev.berth.server.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// A running API server. Closing it stops it.
public final class ApiServer implements AutoCloseable {

    private static final String ADMIN = "kubernetes-admin";

    private final Registry registry;
    private final Endpoint endpoint;
    private final Path kubeconfig;
    private final CertificateAuthority authority;
    private final NodeConnections doors;
    private final Deque<AutoCloseable> parts;

    private ApiServer(
            Registry registry,
            Endpoint endpoint,
            Path kubeconfig,
            CertificateAuthority authority,
            NodeConnections doors,
            Deque<AutoCloseable> parts) {
        this.registry = registry;
        this.endpoint = endpoint;
        this.kubeconfig = kubeconfig;
        this.authority = authority;
        this.doors = doors;
        this.parts = parts;
    }

    /// Starts a server and returns when it answers.
    public static ApiServer start(ServerSettings settings) {
        var parts = new ArrayDeque<AutoCloseable>();
        try {
            return start(settings, parts);
        } catch (RuntimeException e) {
            try {
                closeAll(parts);
            } catch (RuntimeException closing) {
                // Parts of a server that failed to start fail to stop for the same reason.
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static ApiServer start(ServerSettings settings, Deque<AutoCloseable> parts) {
        var authority =
                CertificateAuthority.open(settings.directory().resolve("pki"), settings.clock());
        Store store = settings.store().open(settings.directory());
        parts.push(store);
        var assembly = new ServerAssembly(settings, store, IdSource.random());
        assembly.furnish();
        var doors = ServerAssembly.doors(authority);
        parts.push(doors);
        var endpoint = assembly.endpoint(authority, doors);
        parts.push(endpoint);
        parts.push(assembly.keepQuotas());
        var housekeeping =
                new ServerControllers(
                        assembly.registry(), authority.certificatePem(), assembly::on);
        parts.push(housekeeping);
        housekeeping.start();
        parts.push(assembly.keepRoles());
        var kubeconfig = settings.directory().resolve("kubeconfig");
        writeKubeconfig(kubeconfig, endpoint, authority);
        return new ApiServer(assembly.registry(), endpoint, kubeconfig, authority, doors, parts);
    }

    private static void writeKubeconfig(
            Path file, Endpoint endpoint, CertificateAuthority authority) {
        var admin = authority.client("admin", ADMIN, List.of("system:masters"));
        try {
            KubeconfigWriter.write(
                    file, endpoint.uri().toString(), authority.certificatePem(), admin);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Where it listens.
    public URI uri() {
        return endpoint.uri();
    }

    /// The file with which an administrator reaches it.
    public Path kubeconfig() {
        return kubeconfig;
    }

    /// Who vouches for the identities that it knows.
    public CertificateAuthority authority() {
        return authority;
    }

    /// Takes the logs of pods on simulated nodes from here.
    public void simulate(SimulatedLogs logs) {
        doors.simulate(logs);
    }

    /// The way in for those in the same process.
    public InProcessApi door() {
        return endpoint.door();
    }

    /// What it serves, for those in the same process.
    public Registry registry() {
        return registry;
    }

    @Override
    public void close() {
        closeAll(parts);
    }

    private static void closeAll(Deque<AutoCloseable> parts) {
        RuntimeException failure = null;
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                var next =
                        new IllegalStateException(
                                "the server did not stop cleanly: " + FailureText.of(e), e);
                failure = failure == null ? next : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
