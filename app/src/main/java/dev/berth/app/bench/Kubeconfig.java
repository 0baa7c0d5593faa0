package dev.berth.app.bench;

import dev.berth.client.config.PrivateKeys;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.Reading;
import dev.berth.model.json.YamlReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// How to reach a server, as far as a measurement needs it: certificates and tokens.
final class Kubeconfig {

    private final Path file;
    private final JsonObject root;

    /// A server, and who we are for it.
    ///
    /// @param token empty when a certificate says who we are
    record Access(URI server, SSLContext tls, String token) {}

    private Kubeconfig(Path file, JsonObject root) {
        this.file = file;
        this.root = root;
    }

    /// Reads the current context of a file.
    static Access read(Path file) throws IOException {
        if (YamlReader.read(Files.readString(file)) instanceof Reading.Documents(var documents)
                && documents.size() == 1
                && documents.getFirst().root() instanceof JsonObject root) {
            return new Kubeconfig(file, root).access();
        }
        throw new IOException(file + " is no kubeconfig: expected one YAML mapping");
    }

    private Access access() throws IOException {
        var context = named("contexts", root.text("current-context")).objectOrEmpty("context");
        var cluster = named("clusters", context.text("cluster")).objectOrEmpty("cluster");
        var user = named("users", context.text("user")).objectOrEmpty("user");
        try {
            var tls = SSLContext.getInstance("TLS");
            tls.init(keys(user), trust(cluster).getTrustManagers(), null);
            return new Access(URI.create(cluster.text("server")), tls, token(user));
        } catch (GeneralSecurityException e) {
            throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private JsonObject named(String list, String name) throws IOException {
        return root.objects(list).stream()
                .filter(one -> one.text("name").equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IOException("%s has no \"%s\" in %s".formatted(file, name, list)));
    }

    private String token(JsonObject user) throws IOException {
        var path = user.text("tokenFile");
        return path.isEmpty()
                ? user.text("token")
                : Files.readString(file.resolveSibling(path)).strip();
    }

    /// What is in the file itself, or in another one that it names.
    private Optional<String> content(JsonObject from, String name) throws IOException {
        var inside = from.text(name + "-data");
        if (!inside.isEmpty()) {
            var bytes = Base64.getMimeDecoder().decode(inside);
            return Optional.of(new String(bytes, StandardCharsets.US_ASCII));
        }
        var path = from.text(name);
        return path.isEmpty()
                ? Optional.empty()
                : Optional.of(Files.readString(file.resolveSibling(path)));
    }

    private TrustManagerFactory trust(JsonObject cluster)
            throws GeneralSecurityException, IOException {
        var trust = TrustManagerFactory.getInstance("PKIX");
        var authority = content(cluster, "certificate-authority");
        if (authority.isEmpty()) {
            trust.init((KeyStore) null);
            return trust;
        }
        var store = emptyStore();
        for (var certificate : certificates(authority.get())) {
            store.setCertificateEntry("ca" + store.size(), certificate);
        }
        trust.init(store);
        return trust;
    }

    private KeyManager[] keys(JsonObject user) throws GeneralSecurityException, IOException {
        var certificate = content(user, "client-certificate");
        var key = content(user, "client-key");
        if (certificate.isEmpty() || key.isEmpty()) {
            return new KeyManager[0];
        }
        var store = emptyStore();
        store.setKeyEntry(
                "key",
                PrivateKeys.read(key.get()),
                new char[0],
                certificates(certificate.get()).toArray(Certificate[]::new));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        return keys.getKeyManagers();
    }

    private static List<? extends Certificate> certificates(String pem)
            throws GeneralSecurityException {
        var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
        return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(bytes));
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
