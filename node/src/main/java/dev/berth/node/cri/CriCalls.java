package dev.berth.node.cri;

import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.socket.SocketChannel;
import dev.berth.wire.cri.ImageServiceGrpc;
import dev.berth.wire.cri.ImageServiceGrpc.ImageServiceBlockingStub;
import dev.berth.wire.cri.RuntimeServiceGrpc;
import dev.berth.wire.cri.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Calls a runtime, and says in words what went wrong.
final class CriCalls implements AutoCloseable {

    /// As kubelets have it: making a sandbox or a container takes a while on a busy machine.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// Layers come over the network.
    private static final Duration PULL_PATIENCE = Duration.ofMinutes(15);

    private final Path socket;
    private final SocketChannel channel;

    CriCalls(Path socket) {
        this.socket = socket;
        this.channel = new SocketChannel(socket);
    }

    /// Something that is asked of the runtime.
    <T> T ask(String what, Function<RuntimeServiceBlockingStub, T> call) throws RuntimeFailure {
        return ask(what, PATIENCE, call);
    }

    <T> T ask(String what, Duration patience, Function<RuntimeServiceBlockingStub, T> call)
            throws RuntimeFailure {
        try {
            return call.apply(
                    RuntimeServiceGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            throw failure(what, e);
        }
    }

    /// Something that is fine when what it is about is gone.
    void askIfThere(
            String what, Duration patience, Function<RuntimeServiceBlockingStub, Object> call)
            throws RuntimeFailure {
        try {
            ask(what, PATIENCE.plus(patience), call);
        } catch (RuntimeFailure e) {
            if (!isGone(e)) {
                throw e;
            }
        }
    }

    /// The answer about something; empty when it is gone.
    <T> Optional<T> find(String what, Function<RuntimeServiceBlockingStub, T> call)
            throws RuntimeFailure {
        try {
            return Optional.of(ask(what, call));
        } catch (RuntimeFailure e) {
            if (isGone(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static boolean isGone(RuntimeFailure failure) {
        return failure.getCause() instanceof StatusRuntimeException cause
                && cause.getStatus().getCode() == Status.Code.NOT_FOUND;
    }

    <T> T askImages(String what, Function<ImageServiceBlockingStub, T> call) throws RuntimeFailure {
        try {
            return call.apply(
                    ImageServiceGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(PULL_PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            throw failure(what, e);
        }
    }

    /// A stub for calls that have no end.
    RuntimeServiceBlockingStub endless() {
        return RuntimeServiceGrpc.newBlockingStub(channel.channel());
    }

    private RuntimeFailure failure(String what, StatusRuntimeException e) {
        var status = e.getStatus();
        var words = Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                    new RuntimeFailure(
                            "no runtime answers at %s (%s); start it, or name its socket"
                                    .formatted(socket, words),
                            e);
            case DEADLINE_EXCEEDED ->
                    new RuntimeFailure(
                            "%s: the runtime at %s took too long".formatted(what, socket), e);
            case UNIMPLEMENTED ->
                    new RuntimeFailure(
                            "%s: what serves %s does not know this part of CRI v1 (%s)"
                                    .formatted(what, socket, words),
                            e);
            default -> new RuntimeFailure(what + ": " + words, e);
        };
    }

    @Override
    public void close() {
        channel.close();
    }
}
