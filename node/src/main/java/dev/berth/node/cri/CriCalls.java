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

/// Client of the CRI runtime and image services, with readable errors.
final class CriCalls implements AutoCloseable {

    /// The kubelet's timeout: creating a sandbox or a container takes a while on a busy machine.
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /// Timeout of image pulls.
    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(15);

    private final Path socket;
    private final SocketChannel channel;

    CriCalls(Path socket) {
        this.socket = socket;
        this.channel = new SocketChannel(socket);
    }

    /// Calls the runtime service.
    <T> T invoke(String what, Function<RuntimeServiceBlockingStub, T> call) throws RuntimeFailure {
        return invoke(what, TIMEOUT, call);
    }

    <T> T invoke(String what, Duration timeout, Function<RuntimeServiceBlockingStub, T> call)
            throws RuntimeFailure {
        try {
            return call.apply(
                    RuntimeServiceGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            throw failure(what, e);
        }
    }

    /// Calls the runtime service and ignores NOT_FOUND.
    void invokeIfExists(
            String what, Duration timeout, Function<RuntimeServiceBlockingStub, Object> call)
            throws RuntimeFailure {
        try {
            invoke(what, TIMEOUT.plus(timeout), call);
        } catch (RuntimeFailure e) {
            if (!isNotFound(e)) {
                throw e;
            }
        }
    }

    /// Calls the runtime service; empty on NOT_FOUND.
    <T> Optional<T> find(String what, Function<RuntimeServiceBlockingStub, T> call)
            throws RuntimeFailure {
        try {
            return Optional.of(invoke(what, call));
        } catch (RuntimeFailure e) {
            if (isNotFound(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static boolean isNotFound(RuntimeFailure failure) {
        return failure.getCause() instanceof StatusRuntimeException cause
                && cause.getStatus().getCode() == Status.Code.NOT_FOUND;
    }

    <T> T invokeImages(String what, Function<ImageServiceBlockingStub, T> call)
            throws RuntimeFailure {
        try {
            return call.apply(
                    ImageServiceGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(PULL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            throw failure(what, e);
        }
    }

    /// A stub without a deadline, for streaming calls.
    RuntimeServiceBlockingStub withoutDeadline() {
        return RuntimeServiceGrpc.newBlockingStub(channel.channel());
    }

    private RuntimeFailure failure(String what, StatusRuntimeException e) {
        var status = e.getStatus();
        var description =
                Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                    new RuntimeFailure(
                            "no container runtime responds at %s (%s); is its socket right?"
                                    .formatted(socket, description),
                            e);
            case DEADLINE_EXCEEDED ->
                    new RuntimeFailure(
                            "%s: the call of the runtime at %s timed out".formatted(what, socket),
                            e);
            case UNIMPLEMENTED ->
                    new RuntimeFailure(
                            "%s: the server at %s does not implement this part of CRI v1 (%s)"
                                    .formatted(what, socket, description),
                            e);
            default -> new RuntimeFailure(what + ": " + description, e);
        };
    }

    @Override
    public void close() {
        channel.close();
    }
}
