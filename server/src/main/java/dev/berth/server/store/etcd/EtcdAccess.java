package dev.berth.server.store.etcd;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Endpoints, key prefix and credentials of an etcd cluster.
///
/// @param endpoints members of one cluster: `host:port`, `http://host:port` or `https://host:port`
/// @param prefix prefix of all keys of Berth; it ends with a slash. An etcd user needs read and
///   write permission on all keys with this prefix, with and without the slash
/// @param authority CA certificates in PEM that replace those of the JDK
/// @param certificate client certificate in PEM
/// @param key private key of the client certificate in PEM (PKCS 8)
/// @param login user and password, for clusters with authentication enabled
public record EtcdAccess(
        List<String> endpoints,
        String prefix,
        Optional<Path> authority,
        Optional<Path> certificate,
        Optional<Path> key,
        Optional<Login> login) {

    /// Default prefix.
    public static final String PREFIX = "/berth/";

    public EtcdAccess {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("no endpoint of etcd is given; name one host:port");
        }
        if (!prefix.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the prefix \"" + prefix + "\" does not end with a slash; add one");
        }
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException(
                    "a certificate needs its key and a key its certificate; give both or none");
        }
    }

    /// Access without TLS and authentication.
    public static EtcdAccess plain(String... endpoints) {
        return new EtcdAccess(
                List.of(endpoints),
                PREFIX,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// An etcd user. `toString` omits the password.
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }
}
