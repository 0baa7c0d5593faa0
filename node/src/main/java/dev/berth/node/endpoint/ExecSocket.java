package dev.berth.node.endpoint;

import dev.berth.node.channel.StreamChannel;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// WebSocket of an exec request: connects a client with a command in a container.
public final class ExecSocket implements Session.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(ExecSocket.class);

    /// Idle timeout.
    private static final Duration IDLE_TIMEOUT = Duration.ofHours(4);

    private static final int BLOCK_BYTES = 32 * 1024;

    /// Maximum length of messages other than input.
    private static final int MAX_CONTROL_BYTES = 1024;

    /// Starts the command.
    interface CommandStarter {
        CommandSession open() throws RuntimeFailure;
    }

    private final ExecQuery query;
    private final CommandStarter starter;
    private final ExecutorService threads;

    /// Guards the order of messages, which two streams send.
    private final Object sendLock = new Object();

    /// Guards the command, because the connection may end before the command has started.
    private final Object commandLock = new Object();

    private Optional<CommandSession> command = Optional.empty();
    private boolean isOver;

    /// The channel of the fragmented message being received, and the content of a control message.
    private Optional<StreamChannel> incoming = Optional.empty();

    private boolean inMessage;
    private volatile Optional<Session> webSocket = Optional.empty();
    private final ByteArrayOutputStream control = new ByteArrayOutputStream();

    ExecSocket(ExecQuery query, CommandStarter starter, ExecutorService threads) {
        this.query = query;
        this.starter = starter;
        this.threads = threads;
    }

    @Override
    public void onWebSocketOpen(Session session) {
        webSocket = Optional.of(session);
        session.setIdleTimeout(IDLE_TIMEOUT);
        threads.execute(() -> run(session));
    }

    private void run(Session session) {
        try {
            var started = starter.open();
            if (!register(started)) {
                started.close();
                return;
            }
            if (!query.hasInput()) {
                started.input().close();
            }
            session.demand();
            var output = pump(session, started.output(), StreamChannel.OUTPUT, query.hasOutput());
            var errors = pump(session, started.errors(), StreamChannel.ERRORS, query.hasErrors());
            output.get();
            errors.get();
            finish(session, StreamChannel.exited(started.exitCode()));
        } catch (RuntimeFailure | IOException e) {
            finish(session, StreamChannel.failed(String.valueOf(e.getMessage())));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            session.disconnect();
        } catch (ExecutionException e) {
            LOG.debug("a client went away", e);
            session.disconnect();
        } finally {
            end();
        }
    }

    private boolean register(CommandSession started) {
        synchronized (commandLock) {
            command = Optional.of(started);
            return !isOver;
        }
    }

    private void end() {
        Optional<CommandSession> ended;
        synchronized (commandLock) {
            isOver = true;
            ended = command;
            command = Optional.empty();
        }
        ended.ifPresent(CommandSession::close);
    }

    /// Sends a stream until it ends.
    private Future<?> pump(
            Session session, InputStream stream, StreamChannel channel, boolean isForwarded) {
        return threads.submit(() -> {
            var block = new byte[BLOCK_BYTES];
            for (var length = stream.read(block); length >= 0; length = stream.read(block)) {
                if (isForwarded && length > 0) {
                    send(session, channel.message(block, length));
                }
            }
            return null;
        });
    }

    private void send(Session session, byte[] message) throws IOException {
        synchronized (sendLock) {
            var sent = new Callback.Completable();
            session.sendBinary(ByteBuffer.wrap(message), sent);
            try {
                sent.join();
            } catch (CompletionException e) {
                throw new IOException("the client disconnected", e);
            }
        }
    }

    private void finish(Session session, String result) {
        try {
            send(session, StreamChannel.RESULT.message(result));
            session.close(StatusCode.NORMAL, "", Callback.NOOP);
        } catch (IOException e) {
            LOG.debug("a client went away", e);
            session.disconnect();
        }
    }

    @Override
    public void onWebSocketPartialBinary(ByteBuffer payload, boolean last, Callback callback) {
        // Writing to a command that does not read blocks, so it does not run on Jetty's thread.
        threads.execute(() -> {
            receive(payload, last);
            callback.succeed();
            webSocket.filter(Session::isOpen).ifPresent(Session::demand);
        });
    }

    private void receive(ByteBuffer payload, boolean last) {
        if (!inMessage && payload.hasRemaining()) {
            incoming = StreamChannel.of(payload.get());
            inMessage = true;
        }
        var bytes = new byte[payload.remaining()];
        payload.get(bytes);
        if (incoming.filter(one -> one == StreamChannel.INPUT).isPresent()) {
            input(bytes);
        } else if (control.size() + bytes.length <= MAX_CONTROL_BYTES) {
            control.writeBytes(bytes);
        }
        if (last) {
            incoming.ifPresent(channel -> handleControl(channel, control.toByteArray()));
            control.reset();
            inMessage = false;
        }
    }

    private void input(byte[] bytes) {
        if (!query.hasInput()) {
            return;
        }
        try {
            var to = current();
            if (to.isPresent()) {
                to.get().input().write(bytes);
                to.get().input().flush();
            }
        } catch (IOException _) {
            // The command does not read any more.
        }
    }

    private void handleControl(StreamChannel channel, byte[] content) {
        var to = current();
        if (to.isEmpty()) {
            return;
        }
        switch (channel) {
            case SIZE ->
                    StreamChannel.size(content)
                            .ifPresent(size -> to.get().resize(size.columns(), size.rows()));
            case CLOSE -> {
                if (content.length == 1 && content[0] == 0) {
                    closeInput(to.get());
                }
            }
            case INPUT, OUTPUT, ERRORS, RESULT -> {}
        }
    }

    private static void closeInput(CommandSession command) {
        try {
            command.input().close();
        } catch (IOException _) {
            // The command has closed it itself.
        }
    }

    private Optional<CommandSession> current() {
        synchronized (commandLock) {
            return command;
        }
    }

    @Override
    public void onWebSocketClose(int statusCode, String reason, Callback callback) {
        end();
        callback.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        LOG.debug("the connection of a command failed", cause);
        end();
    }
}
