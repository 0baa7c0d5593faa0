package dev.berth.client.http;

import dev.berth.client.config.ClientCertificate;
import dev.berth.client.config.ConfigException;
import dev.berth.client.config.ServerTrust;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Creates TLS contexts from server trust and client certificate.
public final class ClientTls {

    /// Key stores require a password; these are never stored.
    private static final char[] PASSWORD = "unused".toCharArray();

    private ClientTls() {}

    /// A TLS context with verification of the server and, if there is a certificate, client
    /// authentication.
    ///
    /// @param serverName expected name in the server's certificate; empty for the host of the
    ///   address
    public static SSLContext context(
            ServerTrust trust, Optional<ClientCertificate> certificate, String serverName) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(keyManagers(certificate), trustManagers(trust), null);
            return serverName.isEmpty() ? context : TlsServerName.context(context, serverName);
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(
                    "invalid certificates in the configuration: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keyManagers(Optional<ClientCertificate> certificate)
            throws GeneralSecurityException, IOException {
        if (certificate.isEmpty()) {
            return new KeyManager[0];
        }
        var keys = KeyStore.getInstance("PKCS12");
        keys.load(null, PASSWORD);
        keys.setKeyEntry(
                "client",
                certificate.get().key(),
                PASSWORD,
                certificate.get().chain().toArray(Certificate[]::new));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManager @Nullable [] trustManagers(ServerTrust trust)
            throws GeneralSecurityException, IOException {
        return switch (trust) {
            case ServerTrust.SystemAuthorities _ -> null;
            case ServerTrust.Unverified _ -> new TrustManager[] {new AcceptAll()};
            case ServerTrust.Authorities(var certificates) -> {
                var trusted = KeyStore.getInstance("PKCS12");
                trusted.load(null, PASSWORD);
                for (var i = 0; i < certificates.size(); i++) {
                    trusted.setCertificateEntry("authority-" + i, certificates.get(i));
                }
                var factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(trusted);
                yield factory.getTrustManagers();
            }
        };
    }

    /// Accepts every certificate. An extended trust manager also keeps Java from checking the host
    /// name.
    private static final class AcceptAll extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
