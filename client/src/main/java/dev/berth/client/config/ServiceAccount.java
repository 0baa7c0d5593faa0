package dev.berth.client.config;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/// In-cluster configuration: the service account of the current pod.
public final class ServiceAccount {

    private ServiceAccount() {}

    /// Access to the pod's cluster; empty outside of pods.
    public static Optional<ClusterAccess> access(ProgramEnvironment environment) {
        var host = environment.variable("KUBERNETES_SERVICE_HOST");
        var port = environment.variable("KUBERNETES_SERVICE_PORT");
        if (host.isEmpty() || port.isEmpty()) {
            return Optional.empty();
        }
        var name = host.get().contains(":") ? "[" + host.get() + "]" : host.get();
        var server = URI.create("https://%s:%s".formatted(name, port.get()));
        var folder = environment.serviceAccount();
        var token =
                new ReloadedFile<>(
                        environment.clock(),
                        () -> "Bearer " + text(folder.resolve("token")).strip());
        // Fails here rather than at the first request when there is no token.
        token.value();
        return Optional.of(
                new ClusterAccess(
                        server,
                        trust(folder.resolve("ca.crt")),
                        "",
                        Proxies.fromEnvironment(server, environment),
                        new StoredCredentials(Optional.empty(), Optional.of(token)),
                        List.of(),
                        namespace(folder.resolve("namespace")),
                        "service account in " + folder));
    }

    private static ServerTrust trust(Path file) {
        if (!Files.exists(file)) {
            return new ServerTrust.SystemAuthorities();
        }
        try {
            return new ServerTrust.Authorities(PemCertificates.read(text(file)));
        } catch (GeneralSecurityException e) {
            throw new ConfigException("service account: %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static String namespace(Path file) {
        return Files.exists(file) ? text(file).strip() : "default";
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ConfigException(
                    ("service account: cannot read %s; does the pod have"
                                    + " automountServiceAccountToken: false?")
                            .formatted(file),
                    e);
        }
    }
}
