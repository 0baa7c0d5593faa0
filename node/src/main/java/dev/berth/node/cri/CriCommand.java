package dev.berth.node.cri;

import dev.berth.node.channel.StreamChannel;
import dev.berth.node.channel.StreamChannel.Result;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// A command in a container, through the runtime's streaming server.
///
/// It uses SPDY, not WebSocket: the WebSocket protocols of containerd 1.7 and 2.1 cannot signal the
/// end of input, so a command such as `cat` would never terminate.
final class CriCommand implements CommandSession {

    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final int NOT_RUN = 126;
    private static final int CUT_OFF = 137;

    private final SpdyConnection connection;
    private final OutputStream input;
    private final InputStream output;
    private final ByteQueue errors;
    private final Optional<OutputStream> sizes;
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    private CriCommand(SpdyConnection connection, boolean hasTerminal) throws IOException {
        this.connection = connection;
        var results = connection.stream("error");
        this.input = connection.stream("stdin").out();
        this.output = connection.stream("stdout").in();
        this.errors = new ByteQueue();
        this.sizes =
                hasTerminal ? Optional.of(connection.stream("resize").out()) : Optional.empty();
        var stderr = hasTerminal ? InputStream.nullInputStream() : connection.stream("stderr").in();
        Thread.ofVirtual().name("command").start(() -> finish(stderr, results.in()));
    }

    /// Starts a command.
    ///
    /// @param url of the runtime's streaming server
    static CriCommand open(String url, boolean hasTerminal) throws RuntimeFailure {
        try {
            var connection = SpdyConnection.open(URI.create(url), PROTOCOL);
            try {
                return new CriCommand(connection, hasTerminal);
            } catch (IOException e) {
                connection.close();
                throw e;
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new RuntimeFailure(
                    "cannot connect to the runtime's streaming server at %s: %s"
                            .formatted(url, e.getMessage()),
                    e);
        }
    }

    /// Forwards the command's standard error, and after it the error if it could not be run.
    private void finish(InputStream stderr, InputStream results) {
        var code = CUT_OFF;
        try {
            var block = new byte[8 * 1024];
            for (var length = stderr.read(block); length >= 0; length = stderr.read(block)) {
                errors.put(Arrays.copyOf(block, length));
            }
            var result = results.readAllBytes();
            if (result.length > 0) {
                code =
                        switch (StreamChannel.result(result)) {
                            case Result.Exited(var exit) -> exit;
                            case Result.Failed(var message) -> {
                                errors.put((message + "\n").getBytes(StandardCharsets.UTF_8));
                                yield NOT_RUN;
                            }
                        };
            }
        } catch (IOException _) {
            // The connection was cut off, as the exit code shows.
        } finally {
            errors.end();
            exitCode.complete(code);
        }
    }

    @Override
    public OutputStream input() {
        return input;
    }

    @Override
    public InputStream output() {
        return output;
    }

    @Override
    public InputStream errors() {
        return errors;
    }

    @Override
    public void resize(int columns, int rows) {
        var size = "{\"Width\":%d,\"Height\":%d}\n".formatted(columns, rows);
        try {
            if (sizes.isPresent()) {
                sizes.get().write(size.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException _) {
            // The command has terminated.
        }
    }

    @Override
    public int exitCode() throws InterruptedException {
        try {
            return exitCode.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an exit code that is an exception", e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
