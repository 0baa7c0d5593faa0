package dev.berth.client.config;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/// The account that a pod has in its own cluster.
public final class ServiceAccount {

    private ServiceAccount() {}

    /// The pod's cluster; nothing when we do not run in a pod.
    public static Optional<ClusterAccess> access(ProgramEnvironment around) {
        var host = around.variable("KUBERNETES_SERVICE_HOST");
        var port = around.variable("KUBERNETES_SERVICE_PORT");
        if (host.isEmpty() || port.isEmpty()) {
            return Optional.empty();
        }
        var name = host.get().contains(":") ? "[" + host.get() + "]" : host.get();
        var server = URI.create("https://%s:%s".formatted(name, port.get()));
        var folder = around.serviceAccount();
        var token =
                new ReloadedFile<>(
                        around.clock(), () -> "Bearer " + text(folder.resolve("token")).strip());
        // Fails now rather than at the first request when there is none.
        token.value();
        return Optional.of(
                new ClusterAccess(
                        server,
                        trust(folder.resolve("ca.crt")),
                        "",
                        Proxies.fromEnvironment(server, around),
                        new StoredCredentials(Optional.empty(), Optional.of(token)),
                        List.of(),
                        namespace(folder.resolve("namespace")),
                        "service account in " + folder));
    }

    private static ServerTrust trust(Path file) {
        if (!Files.exists(file)) {
            return new ServerTrust.MachineAuthorities();
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
