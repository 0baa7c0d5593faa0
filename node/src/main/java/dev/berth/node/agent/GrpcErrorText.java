package dev.berth.node.agent;

import io.grpc.StatusRuntimeException;
import java.util.Optional;

/// Formats a failed gRPC call as one line.
final class GrpcErrorText {

    private GrpcErrorText() {}

    /// Status code, description and message of the cause; never a stack trace.
    static String of(StatusRuntimeException failure) {
        var status = failure.getStatus();
        var description = Optional.ofNullable(status.getDescription()).orElse("");
        var causeMessage =
                Optional.ofNullable(status.getCause())
                        .map(Throwable::getMessage)
                        .filter(text -> !text.isEmpty());
        var text =
                causeMessage
                        .map(cause -> description.isEmpty() ? cause : description + ": " + cause)
                        .orElse(description);
        return text.isEmpty()
                ? status.getCode().toString()
                : "%s: %s".formatted(status.getCode(), text);
    }
}
