package dev.berth.server.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A wire to a port of this machine that can be cut and mended.
final class Relay implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    Relay(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void cut() throws IOException {
        cut = true;
        for (var socket : open) {
            socket.close();
        }
    }

    void mend() {
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
                Thread.ofVirtual().start(() -> carry(near, far));
                Thread.ofVirtual().start(() -> carry(far, near));
            } catch (IOException e) {
                // One connection less; whoever wanted it tries again.
            }
        }
    }

    private static void carry(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Either side has closed, or the wire was cut.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
