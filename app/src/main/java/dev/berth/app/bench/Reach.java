package dev.berth.app.bench;

import dev.berth.client.config.Access;
import dev.berth.client.config.Surroundings;
import dev.berth.client.http.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// A server, and who we are for it, settled once for all connections of a measurement.
///
/// @param authorization the header of that name; empty when a certificate says who we are
record Reach(URI server, SSLContext tls, String authorization) {

    /// The server of a kubeconfig's current context.
    static Reach of(Path kubeconfig) {
        return of(Access.find(Surroundings.system(), Optional.of(kubeconfig), Optional.empty()));
    }

    static Reach of(Access access) {
        var proof = access.credentials().proof();
        return new Reach(
                access.server(),
                Tls.context(access.trust(), proof.certificate(), access.serverName()),
                proof.authorization().orElse(""));
    }
}
