package dev.berth.server.auth;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// TLS contexts of the server and its clients, with certificates of one authority.
public final class ServerTls {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private ServerTls() {}

    /// For the server; also for a client with a certificate.
    public static SSLContext context(CertificateAuthority authority, Credential credential) {
        return context(authority.certificate(), Optional.of(credential));
    }

    /// For a client without a certificate.
    public static SSLContext context(CertificateAuthority authority) {
        return context(authority.certificate(), Optional.empty());
    }

    /// A client context for a peer that is authenticated by a pinned certificate.
    public static SSLContext context(
            CertificateAuthority authority, Credential credential, TrustManager trustManager) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new SingleKeyManager(credential, authority.certificate())},
                    new TrustManager[] {trustManager},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new PkiException("cannot set up TLS: " + e.getMessage(), e);
        }
    }

    /// TLS parameters of the server: recent protocols and an optional client certificate, since
    /// clients may authenticate by token.
    public static SSLParameters serverParameters() {
        var parameters = new SSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setWantClientAuth(true);
        return parameters;
    }

    private static SSLContext context(X509Certificate trusted, Optional<Credential> credential) {
        try {
            var trust = emptyStore();
            trust.setCertificateEntry("ca", trusted);
            var trustManager = TrustManagerFactory.getInstance("PKIX");
            trustManager.init(trust);
            var context = SSLContext.getInstance("TLS");
            context.init(
                    credential
                            .map(one -> new KeyManager[] {new SingleKeyManager(one, trusted)})
                            .orElseGet(() -> new KeyManager[0]),
                    trustManager.getTrustManagers(),
                    null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new PkiException("cannot set up TLS: " + e.getMessage(), e);
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
