package dev.berth.node.cri;

import dev.berth.node.channel.Channel;
import dev.berth.node.channel.Channel.Result;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A command in a container of a runtime, over the WebSocket of its streaming server.
///
/// Runtimes that only know the fourth version of the channels cannot be told that the input has
/// ended; a command that waits for that goes on until it is closed.
final class CriCommand implements CommandSession {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int NOT_RUN = 126;
    private static final int CUT_OFF = 137;

    private final HttpClient http;
    private final Streams streams;
    private final WebSocket socket;
    private final OutputStream input = new Input();

    private CriCommand(HttpClient http, Streams streams, WebSocket socket) {
        this.http = http;
        this.streams = streams;
        this.socket = socket;
    }

    /// Begins a command.
    ///
    /// @param url where the runtime said that it can be talked with
    static CriCommand open(String url) throws RuntimeFailure {
        var http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build();
        var streams = new Streams();
        try {
            var socket =
                    http.newWebSocketBuilder()
                            .connectTimeout(PATIENCE)
                            .subprotocols(
                                    Channel.PROTOCOLS.getFirst(),
                                    Channel.PROTOCOLS.subList(1, 2).toArray(String[]::new))
                            .buildAsync(URI.create(url.replaceFirst("^http", "ws")), streams)
                            .get();
            return new CriCommand(http, streams, socket);
        } catch (ExecutionException e) {
            http.shutdownNow();
            throw new RuntimeFailure(
                    "the runtime's streaming server does not answer at %s: %s"
                            .formatted(url, String.valueOf(e.getCause())),
                    e);
        } catch (InterruptedException e) {
            http.shutdownNow();
            Thread.currentThread().interrupt();
            throw new RuntimeFailure("interrupted while a command was begun", e);
        }
    }

    @Override
    public OutputStream input() {
        return input;
    }

    @Override
    public InputStream output() {
        return streams.output;
    }

    @Override
    public InputStream errors() {
        return streams.errors;
    }

    @Override
    public void resize(int columns, int rows) {
        var size = "{\"Width\":%d,\"Height\":%d}".formatted(columns, rows);
        try {
            send(Channel.SIZE.message(size));
        } catch (IOException _) {
            // It has ended: there is no window any more.
        }
    }

    private void send(byte[] message) throws IOException {
        try {
            socket.sendBinary(ByteBuffer.wrap(message), true).join();
        } catch (CompletionException e) {
            throw new IOException("the command has ended", e);
        }
    }

    @Override
    public int exitCode() throws InterruptedException {
        try {
            return streams.exitCode.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an exit code that is an exception", e);
        }
    }

    @Override
    public void close() {
        socket.abort();
        streams.end(CUT_OFF);
        http.shutdownNow();
    }

    /// What the command reads. One message at a time: the socket takes no second one before.
    private final class Input extends OutputStream {
        private boolean isClosed;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            if (isClosed) {
                throw new IOException("the input was closed");
            }
            var content = new byte[length];
            System.arraycopy(bytes, from, content, 0, length);
            send(Channel.INPUT.message(content, length));
        }

        @Override
        public synchronized void close() throws IOException {
            if (!isClosed && socket.getSubprotocol().equals(Channel.PROTOCOLS.getFirst())) {
                send(Channel.INPUT.closing());
            }
            isClosed = true;
        }
    }

    /// What comes from the runtime.
    private static final class Streams implements WebSocket.Listener {
        private final ByteQueue output = new ByteQueue();
        private final ByteQueue errors = new ByteQueue();
        private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        private final ByteArrayOutputStream result = new ByteArrayOutputStream();
        private Optional<Channel> channel = Optional.empty();
        private boolean inMessage;

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket from, ByteBuffer data, boolean last) {
            if (!inMessage && data.hasRemaining()) {
                channel = Channel.of(data.get());
                inMessage = true;
            }
            var bytes = new byte[data.remaining()];
            data.get(bytes);
            channel.ifPresent(one -> take(one, bytes));
            if (last) {
                inMessage = false;
                if (channel.filter(one -> one == Channel.RESULT).isPresent() && result.size() > 0) {
                    finish();
                }
            }
            from.request(1);
            return null;
        }

        private void take(Channel one, byte[] bytes) {
            switch (one) {
                case OUTPUT -> output.put(bytes);
                case ERRORS -> errors.put(bytes);
                case RESULT -> result.writeBytes(bytes);
                case INPUT, SIZE, CLOSE -> {}
            }
        }

        private void finish() {
            switch (Channel.result(result.toByteArray())) {
                case Result.Ended(var code) -> end(code);
                case Result.Failed(var message) -> {
                    errors.put((message + "\n").getBytes(StandardCharsets.UTF_8));
                    end(NOT_RUN);
                }
            }
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            end(CUT_OFF);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            end(CUT_OFF);
        }

        private void end(int code) {
            exitCode.complete(code);
            output.end();
            errors.end();
        }
    }
}
