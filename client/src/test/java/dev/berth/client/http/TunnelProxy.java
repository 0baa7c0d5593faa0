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

/// A proxy that tunnels for those who know its password, and remembers what it was asked.
final class TunnelProxy implements AutoCloseable {

    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String login;
    private final List<List<String>> asked = new CopyOnWriteArrayList<>();

    /// @param login the value of `Proxy-Authorization` that it wants
    TunnelProxy(String login) throws IOException {
        this.login = login;
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return door.getLocalPort();
    }

    /// The heads of all requests, line by line.
    List<List<String>> asked() {
        return asked;
    }

    private void serve() {
        try {
            while (true) {
                var client = door.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            var head = head(client.getInputStream());
            asked.add(head);
            if (!head.contains("Proxy-Authorization: " + login)) {
                say(
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
                say(client.getOutputStream(), "HTTP/1.1 200 OK\n\n");
                var back = Thread.ofVirtual().start(() -> pass(server, client));
                pass(client, server);
                back.join();
            }
        } catch (IOException _) {
            // Somebody hung up.
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

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            // Somebody hung up.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
