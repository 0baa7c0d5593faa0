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

/// Makes what secures a connection: whom we believe, and how we prove who we are.
public final class ClientTls {

    /// Key stores want one; this one never leaves the memory.
    private static final char[] PASSWORD = "unused".toCharArray();

    private ClientTls() {}

    /// How to speak with a server so that both know who the other is.
    ///
    /// @param serverName what the server's certificate must say; empty for the host of the address
    public static SSLContext context(
            ServerTrust trust, Optional<ClientCertificate> certificate, String serverName) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(keyManagers(certificate), trustManagers(trust), null);
            return serverName.isEmpty() ? context : TlsServerName.context(context, serverName);
        } catch (GeneralSecurityException | IOException e) {
            throw new ConfigException(
                    "the certificates of the configuration cannot be used: " + e.getMessage(), e);
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
            case ServerTrust.MachineAuthorities _ -> null;
            case ServerTrust.Anybody _ -> new TrustManager[] {new Credulous()};
            case ServerTrust.Authorities(var certificates) -> {
                var known = KeyStore.getInstance("PKCS12");
                known.load(null, PASSWORD);
                for (var i = 0; i < certificates.size(); i++) {
                    known.setCertificateEntry("authority-" + i, certificates.get(i));
                }
                var factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(known);
                yield factory.getTrustManagers();
            }
        };
    }

    /// Believes everybody. Being of the extended kind it also keeps Java from comparing names.
    private static final class Credulous extends X509ExtendedTrustManager {

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
