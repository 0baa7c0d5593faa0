package dev.berth.client.config;

import dev.berth.client.config.ClusterAccess.Header;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads the [ClusterAccess] of a kubeconfig context. Messages name the file, the context and the
/// field, and never contain a secret.
final class ClusterAccessReader {

    private final ProgramEnvironment environment;
    private final Kubeconfig.Entry context;

    ClusterAccessReader(ProgramEnvironment environment, Kubeconfig.Entry context) {
        this.environment = environment;
        this.context = context;
    }

    ClusterAccess access(Kubeconfig.Entry cluster, Kubeconfig.Entry user) {
        var server = server(cluster);
        var proxyText = cluster.content().text("proxy-url");
        var proxy =
                proxyText.isEmpty()
                        ? Proxies.fromEnvironment(server, environment)
                        : Optional.of(
                                Proxies.parse(
                                        proxyText, where(cluster) + ": proxy-url of the cluster"));
        var namespace = context.content().text("namespace");
        return new ClusterAccess(
                server,
                trust(cluster),
                cluster.content().text("tls-server-name"),
                proxy,
                credentials(cluster, user),
                headers(user),
                namespace.isEmpty() ? "default" : namespace,
                where(context));
    }

    private URI server(Kubeconfig.Entry cluster) {
        var text = cluster.content().text("server");
        if (text.isEmpty()) {
            throw broken(cluster, "server", "is missing; give the address of the API server");
        }
        URI server;
        try {
            server = URI.create(text.contains("://") ? text : "https://" + text);
        } catch (IllegalArgumentException e) {
            throw broken(cluster, "server", "is not a URL: " + e.getMessage());
        }
        if (server.getHost() == null) {
            throw broken(cluster, "server", "is not a URL such as https://host:6443");
        }
        return server;
    }

    private ServerTrust trust(Kubeconfig.Entry cluster) {
        if (cluster.content().flag("insecure-skip-tls-verify").orElse(false)) {
            return new ServerTrust.Unverified();
        }
        if (!has(cluster, "certificate-authority")) {
            return new ServerTrust.SystemAuthorities();
        }
        try {
            return new ServerTrust.Authorities(
                    PemCertificates.read(pem(cluster, "certificate-authority")));
        } catch (GeneralSecurityException e) {
            throw broken(cluster, "certificate-authority", String.valueOf(e.getMessage()));
        }
    }

    private ClientCredentials credentials(Kubeconfig.Entry cluster, Kubeconfig.Entry user) {
        var content = user.content();
        if (content.has("auth-provider")) {
            throw broken(user, "auth-provider", "is no longer supported; use an exec plugin");
        }
        var exec = content.object("exec");
        if (exec.isPresent()) {
            return new ExecPlugin(
                    ExecCommand.read(exec.get(), user, where(user)),
                    clusterForPlugins(cluster),
                    environment);
        }
        var certificate =
                has(user, "client-certificate")
                        ? Optional.of(
                                new ReloadedFile<>(
                                        environment.clock(), () -> clientCertificate(user)))
                        : Optional.<ReloadedFile<ClientCertificate>>empty();
        return new StoredCredentials(certificate, authorization(user));
    }

    private ClientCertificate clientCertificate(Kubeconfig.Entry user) {
        if (!has(user, "client-key")) {
            throw broken(user, "client-key", "is missing; it belongs to client-certificate");
        }
        try {
            return PemCertificates.client(pem(user, "client-certificate"), pem(user, "client-key"));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw broken(user, "client-certificate and client-key", String.valueOf(e.getMessage()));
        }
    }

    private Optional<ReloadedFile<String>> authorization(Kubeconfig.Entry user) {
        var content = user.content();
        var file = content.text("tokenFile");
        if (!file.isEmpty()) {
            return Optional.of(
                    new ReloadedFile<>(
                            environment.clock(),
                            () -> "Bearer " + text(user, "tokenFile", beside(user, file)).strip()));
        }
        var token = content.text("token");
        if (!token.isEmpty()) {
            return Optional.of(new ReloadedFile<>(environment.clock(), () -> "Bearer " + token));
        }
        var name = content.text("username");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        var pair = (name + ":" + content.text("password")).getBytes(StandardCharsets.UTF_8);
        var basic = "Basic " + Base64.getEncoder().encodeToString(pair);
        return Optional.of(new ReloadedFile<>(environment.clock(), () -> basic));
    }

    private static List<Header> headers(Kubeconfig.Entry user) {
        var headers = new ArrayList<Header>();
        var content = user.content();
        if (!content.text("as").isEmpty()) {
            headers.add(new Header("Impersonate-User", content.text("as")));
        }
        if (!content.text("as-uid").isEmpty()) {
            headers.add(new Header("Impersonate-Uid", content.text("as-uid")));
        }
        for (var group : content.strings("as-groups")) {
            headers.add(new Header("Impersonate-Group", group));
        }
        var extra = content.objectOrEmpty("as-user-extra");
        for (var key : extra.names()) {
            for (var value : extra.strings(key)) {
                headers.add(new Header("Impersonate-Extra-" + key, value));
            }
        }
        return headers;
    }

    /// The cluster as passed to exec plugins with `provideClusterInfo`.
    private JsonObject clusterForPlugins(Kubeconfig.Entry cluster) {
        var info = JsonObject.EMPTY;
        for (var name :
                List.of(
                        "server",
                        "tls-server-name",
                        "insecure-skip-tls-verify",
                        "certificate-authority-data",
                        "proxy-url")) {
            var value = cluster.content().member(name);
            if (value.isPresent()) {
                info = info.with(name, value.get());
            }
        }
        for (var extension : cluster.content().objects("extensions")) {
            var value = extension.member("extension");
            if (extension.text("name").equals("client.authentication.k8s.io/exec")
                    && value.isPresent()) {
                info = info.with("config", value.get());
            }
        }
        return info;
    }

    /// True when the field is set, inline (`-data`) or as a file name.
    private static boolean has(Kubeconfig.Entry entry, String field) {
        return !entry.content().text(field + "-data").isEmpty()
                || !entry.content().text(field).isEmpty();
    }

    private String pem(Kubeconfig.Entry entry, String field) {
        var inside = entry.content().text(field + "-data");
        if (inside.isEmpty()) {
            return text(entry, field, beside(entry, entry.content().text(field)));
        }
        try {
            return new String(Base64.getMimeDecoder().decode(inside), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException _) {
            throw broken(entry, field + "-data", "is not base64");
        }
    }

    private String text(Kubeconfig.Entry entry, String field, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            throw broken(entry, field, "names " + file + ", which cannot be read");
        }
    }

    /// Paths are relative to the kubeconfig that contains them.
    static Path beside(Kubeconfig.Entry entry, String path) {
        return entry.file().resolveSibling(path);
    }

    private ConfigException broken(Kubeconfig.Entry entry, String field, String why) {
        return new ConfigException(
                "%s: %s of \"%s\" %s".formatted(where(entry), field, entry.name(), why));
    }

    private String where(Kubeconfig.Entry entry) {
        return "kubeconfig %s, context \"%s\"".formatted(entry.file(), context.name());
    }
}
