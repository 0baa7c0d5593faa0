package dev.berth.app.bench;

import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientTls;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// Address, TLS context and credentials of the measured server, shared by all connections.
///
/// @param authorization value of the header Authorization; empty with a client certificate
record BenchTarget(URI server, SSLContext tls, String authorization) {

    /// The server of a kubeconfig's current context.
    static BenchTarget of(Path kubeconfig) {
        return of(
                ClusterAccess.find(
                        ProgramEnvironment.system(), Optional.of(kubeconfig), Optional.empty()));
    }

    static BenchTarget of(ClusterAccess access) {
        var credential = access.credentials().current();
        return new BenchTarget(
                access.server(),
                ClientTls.context(access.trust(), credential.certificate(), access.serverName()),
                credential.authorization().orElse(""));
    }
}
