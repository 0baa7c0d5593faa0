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

/// A running API server; stopped by [#close].
public final class ApiServer implements AutoCloseable {

    private static final String ADMIN = "kubernetes-admin";

    private final Registry registry;
    private final Endpoint endpoint;
    private final Path kubeconfig;
    private final CertificateAuthority authority;
    private final NodeConnections nodes;
    private final Deque<AutoCloseable> components;

    private ApiServer(
            Registry registry,
            Endpoint endpoint,
            Path kubeconfig,
            CertificateAuthority authority,
            NodeConnections nodes,
            Deque<AutoCloseable> components) {
        this.registry = registry;
        this.endpoint = endpoint;
        this.kubeconfig = kubeconfig;
        this.authority = authority;
        this.nodes = nodes;
        this.components = components;
    }

    /// Starts a server and returns when it accepts requests.
    public static ApiServer start(ServerSettings settings) {
        var components = new ArrayDeque<AutoCloseable>();
        try {
            return start(settings, components);
        } catch (RuntimeException e) {
            try {
                closeAll(components);
            } catch (RuntimeException closing) {
                // Components of a server that failed to start fail to stop for the same reason.
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static ApiServer start(ServerSettings settings, Deque<AutoCloseable> components) {
        var authority =
                CertificateAuthority.open(settings.directory().resolve("pki"), settings.clock());
        Store store = settings.store().open(settings.directory());
        components.push(store);
        var assembly = new ServerAssembly(settings, store, IdSource.random());
        assembly.bootstrap();
        var nodes = ServerAssembly.nodeConnections(authority);
        components.push(nodes);
        var endpoint = assembly.endpoint(authority, nodes);
        components.push(endpoint);
        components.push(assembly.startQuotaRecounts());
        var controllers =
                new ServerControllers(
                        assembly.registry(), authority.certificatePem(), assembly::on);
        components.push(controllers);
        controllers.start();
        components.push(assembly.startRoleReconciler());
        var kubeconfig = settings.directory().resolve("kubeconfig");
        writeKubeconfig(kubeconfig, endpoint, authority);
        return new ApiServer(
                assembly.registry(), endpoint, kubeconfig, authority, nodes, components);
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

    /// The URL of the server.
    public URI uri() {
        return endpoint.uri();
    }

    /// The kubeconfig of an administrator.
    public Path kubeconfig() {
        return kubeconfig;
    }

    /// The certificate authority of clients and of the server itself.
    public CertificateAuthority authority() {
        return authority;
    }

    /// Serves the logs of pods on simulated nodes from this source.
    public void simulate(SimulatedLogs logs) {
        nodes.simulate(logs);
    }

    /// In-process access to the API.
    public InProcessApi inProcess() {
        return endpoint.inProcess();
    }

    /// Access to stored objects for components in the same process.
    public Registry registry() {
        return registry;
    }

    @Override
    public void close() {
        closeAll(components);
    }

    private static void closeAll(Deque<AutoCloseable> components) {
        RuntimeException failure = null;
        while (!components.isEmpty()) {
            try {
                components.pop().close();
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
