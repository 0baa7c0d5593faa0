package dev.berth.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A tunnelling proxy that requires a password and records its requests.
final class TunnelProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String login;
    private final List<List<String>> requests = new CopyOnWriteArrayList<>();

    /// @param login the required value of `Proxy-Authorization`
    TunnelProxy(String login) throws IOException {
        this.login = login;
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return listener.getLocalPort();
    }

    /// The heads of all requests, line by line.
    List<List<String>> requests() {
        return requests;
    }

    private void serve() {
        try {
            while (true) {
                var client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            var head = head(client.getInputStream());
            requests.add(head);
            if (!head.contains("Proxy-Authorization: " + login)) {
                respond(
                        client.getOutputStream(),
                        """
                        HTTP/1.1 407 Proxy Authentication Required
                        Proxy-Authenticate: Basic realm="p"
                        Content-Length: 0

                        """);
                return;
            }
            var address = head.getFirst().split(" ", -1)[1].split(":", -1);
            try (var server = new Socket(address[0], Integer.parseInt(address[1]))) {
                respond(client.getOutputStream(), "HTTP/1.1 200 OK\n\n");
                var back = Thread.ofVirtual().start(() -> copy(server, client));
                copy(client, server);
                back.join();
            }
        } catch (IOException _) {
            // The connection was closed.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> head(InputStream in) throws IOException {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var c = in.read(); c >= 0; c = in.read()) {
            if (c != '\n') {
                line.append((char) c);
                continue;
            }
            if (line.toString().isBlank()) {
                return lines;
            }
            lines.add(line.toString().strip());
            line.setLength(0);
        }
        return lines;
    }

    private static void respond(OutputStream out, String text) throws IOException {
        out.write(text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            // The connection was closed.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
