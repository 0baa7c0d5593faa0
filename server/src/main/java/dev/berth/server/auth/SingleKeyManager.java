package dev.berth.server.auth;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// A key manager with a single key. A Java key store would encrypt the key with a password of no
/// use, which takes longer than the rest of the TLS set-up.
final class SingleKeyManager extends X509ExtendedKeyManager {

    private static final String ALIAS = "key";

    private final PrivateKey key;
    private final X509Certificate[] chain;

    SingleKeyManager(Credential credential, X509Certificate authority) {
        this.key = credential.key();
        this.chain = new X509Certificate[] {credential.certificate(), authority};
    }

    private boolean matches(String type) {
        // Key types may have a suffix, such as EC_EC.
        return type.startsWith(key.getAlgorithm());
    }

    private @Nullable String alias(String[] types) {
        for (var type : types) {
            if (matches(type)) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
        return matches(type) ? new String[] {ALIAS} : new String[0];
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(types);
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
        return getClientAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return matches(type) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return matches(type) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }
}
