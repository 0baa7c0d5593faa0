package dev.berth.node.agent;

import io.grpc.StatusRuntimeException;
import java.util.Optional;

/// What to tell people of a call that failed.
final class GrpcErrorText {

    private GrpcErrorText() {}

    /// The code, what the other side said, and what lies beneath; never a trace.
    static String of(StatusRuntimeException failure) {
        var status = failure.getStatus();
        var said = Optional.ofNullable(status.getDescription()).orElse("");
        var beneath =
                Optional.ofNullable(status.getCause())
                        .map(Throwable::getMessage)
                        .filter(text -> !text.isEmpty());
        var text = beneath.map(cause -> said.isEmpty() ? cause : said + ": " + cause).orElse(said);
        return text.isEmpty()
                ? status.getCode().toString()
                : "%s: %s".formatted(status.getCode(), text);
    }
}
