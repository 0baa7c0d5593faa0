package dev.berth.client.http;

import dev.berth.client.config.ConfigException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// The `tls-server-name` of a kubeconfig: sent as SNI, and compared with the certificate, instead
/// of the host of the address. Java's client has no setting for either: it compares certificates
/// with the name that the engine was created for, and sends the host.
final class TlsServerName extends SSLContextSpi {

    private final SSLContext context;
    private final String name;
    private final List<SNIServerName> sni;

    private TlsServerName(SSLContext context, String name) {
        this.context = context;
        this.name = name;
        this.sni = sni(name);
    }

    static SSLContext context(SSLContext context, String name) {
        return new Named(new TlsServerName(context, name), context);
    }

    private static final class Named extends SSLContext {
        Named(TlsServerName spi, SSLContext like) {
            super(spi, like.getProvider(), like.getProtocol());
        }
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return new ServerNameEngine(context.createSSLEngine(name, port), sni);
    }

    /// IP addresses are compared with certificates, but not sent: RFC 6066 allows DNS names only.
    private static List<SNIServerName> sni(String name) {
        var isAddress = name.contains(":") || name.matches("[0-9.]+");
        try {
            return isAddress ? List.of() : List.of(new SNIHostName(name));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "tls-server-name \"%s\" is not a DNS name: %s".formatted(name, e.getMessage()),
                    e);
        }
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return context.createSSLEngine();
    }

    @Override
    protected void engineInit(
            KeyManager @Nullable [] keys,
            TrustManager @Nullable [] trust,
            @Nullable SecureRandom random) {
        throw new IllegalStateException("the context is initialized already");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return context.getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return context.getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return context.getClientSessionContext();
    }
}
