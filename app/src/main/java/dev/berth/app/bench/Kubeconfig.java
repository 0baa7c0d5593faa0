package dev.berth.app.bench;

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
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// How to reach a server, as far as a measurement needs it: certificates and tokens.
final class Kubeconfig {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END");

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
                key(key.get()),
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

    private PrivateKey key(String pem) throws GeneralSecurityException {
        var found = KEY.matcher(pem);
        if (!found.find()) {
            throw new InvalidKeySpecException("there is no private key in client-key");
        }
        var der = Base64.getMimeDecoder().decode(found.group(2));
        return switch (found.group(1)) {
            case "" -> plain(der);
            case "RSA " ->
                    KeyFactory.getInstance("RSA")
                            .generatePrivate(new PKCS8EncodedKeySpec(rsa(der)));
            default ->
                    throw new InvalidKeySpecException(
                            "client-key is a %sPRIVATE KEY; turn it into PKCS#8 with 'openssl pkcs8"
                                            .formatted(found.group(1))
                                    + " -topk8 -nocrypt'");
        };
    }

    private static PrivateKey plain(byte[] der) throws GeneralSecurityException {
        var spec = new PKCS8EncodedKeySpec(der);
        for (var algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException _) {
                // It may be one of the others.
            }
        }
        throw new InvalidKeySpecException("client-key is of a kind that is not known");
    }

    /// PKCS#1 in the wrapping of PKCS#8, which is all that Java reads.
    private static byte[] rsa(byte[] key) {
        byte[] head = {2, 1, 0, 48, 13, 6, 9, 42, -122, 72, -122, -9, 13, 1, 1, 1, 5, 0};
        return der(48, head, der(4, new byte[0], key));
    }

    private static byte[] der(int tag, byte[] first, byte[] second) {
        var length = first.length + second.length;
        byte[] front = {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        var all = new byte[front.length + length];
        System.arraycopy(front, 0, all, 0, front.length);
        System.arraycopy(first, 0, all, front.length, first.length);
        System.arraycopy(second, 0, all, front.length + first.length, second.length);
        return all;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
