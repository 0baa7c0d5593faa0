package dev.berth.server.store;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where etcd is and how to get in.
///
/// @param endpoints members of one cluster: `host:port`, `http://host:port` or `https://host:port`
/// @param prefix all keys of Berth begin with it; it ends with a slash. A user of etcd needs the
///   right to read and write everything that begins with it, with or without that slash
/// @param authority certificates to trust instead of those that Java trusts; in PEM
/// @param certificate our own certificate, if etcd asks for one; in PEM
/// @param key the key of our certificate; in PEM (PKCS 8)
/// @param login for clusters with users
public record EtcdAccess(
        List<String> endpoints,
        String prefix,
        Optional<Path> authority,
        Optional<Path> certificate,
        Optional<Path> key,
        Optional<Login> login) {

    /// The prefix unless told otherwise.
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

    /// Access without encryption and users.
    public static EtcdAccess plain(String... endpoints) {
        return new EtcdAccess(
                List.of(endpoints),
                PREFIX,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// A user of etcd. The password is not shown.
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }
}
