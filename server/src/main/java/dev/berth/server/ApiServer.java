package dev.berth.server;

import dev.berth.metrics.WorkQueueMetrics;
import dev.berth.model.close.CloseStack;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.KubeconfigWriter;
import dev.berth.server.http.Endpoint;
import dev.berth.server.lifecycle.ServerControllers;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.nodes.SimulatedLogs;
import dev.berth.server.operation.InProcessApi;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.Registry;
import dev.berth.server.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// A running API server; stopped by [#close].
public final class ApiServer implements AutoCloseable {

    private static final String ADMIN = "kubernetes-admin";

    private final Registry registry;
    private final Endpoint endpoint;
    private final InProcessApi inProcess;
    private final Path kubeconfig;
    private final CertificateAuthority authority;
    private final NodeConnections nodes;
    private final CloseStack components;

    private ApiServer(
            Registry registry,
            Endpoint endpoint,
            InProcessApi inProcess,
            Path kubeconfig,
            CertificateAuthority authority,
            NodeConnections nodes,
            CloseStack components) {
        this.registry = registry;
        this.endpoint = endpoint;
        this.inProcess = inProcess;
        this.kubeconfig = kubeconfig;
        this.authority = authority;
        this.nodes = nodes;
        this.components = components;
    }

    /// Starts a server and returns when it accepts requests.
    public static ApiServer start(ServerSettings settings) {
        var components = new CloseStack();
        try {
            return start(settings, components);
        } catch (RuntimeException e) {
            // Components of a server that failed to start fail to stop for the same reason.
            components.close(e::addSuppressed);
            throw e;
        }
    }

    private static ApiServer start(ServerSettings settings, CloseStack components) {
        var authority =
                CertificateAuthority.open(settings.directory().resolve("pki"), settings.clock());
        Store store = components.push(settings.store().open(settings.directory()));
        var assembly = new ServerAssembly(settings, store, IdSource.random());
        assembly.bootstrap();
        var nodes = components.push(ServerAssembly.nodeConnections(authority));
        var endpoint = components.push(assembly.endpoint(authority, nodes));
        components.push(assembly.startQuotaRecounts());
        var controllers =
                new ServerControllers(
                        assembly.registry(), authority.certificatePem(), assembly::on);
        components.push(controllers);
        controllers.start(new WorkQueueMetrics(settings.metrics()));
        components.push(assembly.startRoleReconciler());
        var kubeconfig = settings.directory().resolve("kubeconfig");
        writeKubeconfig(kubeconfig, endpoint, authority);
        return new ApiServer(
                assembly.registry(),
                endpoint,
                assembly.inProcess(),
                kubeconfig,
                authority,
                nodes,
                components);
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
        return inProcess;
    }

    /// Access to stored objects for components in the same process.
    public Registry registry() {
        return registry;
    }

    @Override
    public void close() {
        components.closeOrThrow("the server did not stop cleanly");
    }
}
