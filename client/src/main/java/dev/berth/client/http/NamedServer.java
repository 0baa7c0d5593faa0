package dev.berth.client.http;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Makes connections take the server for another name than the host of its address: Java's client
/// compares certificates with the name that the engine was made for, and has no setting for it.
final class NamedServer extends SSLContextSpi {

    private final SSLContext context;
    private final String name;

    private NamedServer(SSLContext context, String name) {
        this.context = context;
        this.name = name;
    }

    static SSLContext context(SSLContext context, String name) {
        return new Named(new NamedServer(context, name), context);
    }

    private static final class Named extends SSLContext {
        Named(NamedServer spi, SSLContext like) {
            super(spi, like.getProvider(), like.getProtocol());
        }
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return context.createSSLEngine(name, port);
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
        throw new IllegalStateException("it has been made ready already");
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
