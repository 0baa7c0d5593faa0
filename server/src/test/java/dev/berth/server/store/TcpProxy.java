package dev.berth.server.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A TCP proxy to a local port that can be cut and restored.
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    public TcpProxy(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public void cut() throws IOException {
        cut = true;
        for (var socket : open) {
            socket.close();
        }
    }

    public void restore() {
        cut = false;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var near = server.accept();
                open.add(near);
                if (cut) {
                    near.close();
                    continue;
                }
                var far = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(far);
                Thread.ofVirtual().start(() -> copy(near, far));
                Thread.ofVirtual().start(() -> copy(far, near));
            } catch (IOException e) {
                // The client reconnects.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side has closed, or the proxy was cut.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
