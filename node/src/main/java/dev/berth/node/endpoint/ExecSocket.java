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

/// A command in a container, and somebody at the other end of a WebSocket who talks with it.
public final class ExecSocket implements Session.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(ExecSocket.class);

    /// How long nobody needs to say anything.
    private static final Duration SILENCE = Duration.ofHours(4);

    private static final int BLOCK_BYTES = 32 * 1024;

    /// Messages that are not input are short.
    private static final int LONGEST_NOTE_BYTES = 1024;

    /// Begins the command.
    interface Opening {
        CommandSession open() throws RuntimeFailure;
    }

    private final ExecQuery query;
    private final Opening opening;
    private final ExecutorService threads;

    /// Guards the order of messages: two streams speak.
    private final Object speaking = new Object();

    /// Guards the command: whoever sees the end of the connection may be earlier than it.
    private final Object life = new Object();

    private Optional<CommandSession> command = Optional.empty();
    private boolean isOver;

    /// The channel of the message whose parts are coming, and what came of a short one.
    private Optional<StreamChannel> incoming = Optional.empty();

    private boolean inMessage;
    private volatile Optional<Session> asking = Optional.empty();
    private final ByteArrayOutputStream note = new ByteArrayOutputStream();

    ExecSocket(ExecQuery query, Opening opening, ExecutorService threads) {
        this.query = query;
        this.opening = opening;
        this.threads = threads;
    }

    @Override
    public void onWebSocketOpen(Session session) {
        asking = Optional.of(session);
        session.setIdleTimeout(SILENCE);
        threads.execute(() -> run(session));
    }

    private void run(Session session) {
        try {
            var started = opening.open();
            if (!keep(started)) {
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
            finish(session, StreamChannel.ended(started.exitCode()));
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

    private boolean keep(CommandSession started) {
        synchronized (life) {
            command = Optional.of(started);
            return !isOver;
        }
    }

    private void end() {
        Optional<CommandSession> ended;
        synchronized (life) {
            isOver = true;
            ended = command;
            command = Optional.empty();
        }
        ended.ifPresent(CommandSession::close);
    }

    /// Sends what a stream says until it ends.
    private Future<?> pump(
            Session session, InputStream stream, StreamChannel channel, boolean wanted) {
        return threads.submit(() -> {
            var block = new byte[BLOCK_BYTES];
            for (var length = stream.read(block); length >= 0; length = stream.read(block)) {
                if (wanted && length > 0) {
                    send(session, channel.message(block, length));
                }
            }
            return null;
        });
    }

    private void send(Session session, byte[] message) throws IOException {
        synchronized (speaking) {
            var sent = new Callback.Completable();
            session.sendBinary(ByteBuffer.wrap(message), sent);
            try {
                sent.join();
            } catch (CompletionException e) {
                throw new IOException("the client is gone", e);
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
        // Writing to a command that does not read blocks: not here.
        threads.execute(() -> {
            take(payload, last);
            callback.succeed();
            asking.filter(Session::isOpen).ifPresent(Session::demand);
        });
    }

    private void take(ByteBuffer payload, boolean last) {
        if (!inMessage && payload.hasRemaining()) {
            incoming = StreamChannel.of(payload.get());
            inMessage = true;
        }
        var bytes = new byte[payload.remaining()];
        payload.get(bytes);
        if (incoming.filter(one -> one == StreamChannel.INPUT).isPresent()) {
            input(bytes);
        } else if (note.size() + bytes.length <= LONGEST_NOTE_BYTES) {
            note.writeBytes(bytes);
        }
        if (last) {
            incoming.ifPresent(channel -> act(channel, note.toByteArray()));
            note.reset();
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
            // It does not read any more, which is its own affair.
        }
    }

    private void act(StreamChannel channel, byte[] content) {
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
            // It has closed it itself.
        }
    }

    private Optional<CommandSession> current() {
        synchronized (life) {
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
        LOG.debug("a connection for a command broke", cause);
        end();
    }
}
