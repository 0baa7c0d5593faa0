package dev.berth.dashboard.http;

import java.nio.charset.StandardCharsets;

/// Text of server-sent events.
final class ServerSentEvent {

    /// A comment, which keeps connections open and detects closed ones.
    private static final String HEARTBEAT = ":\n\n";

    private ServerSentEvent() {}

    /// An event.
    ///
    /// @param data text without line breaks, as compact JSON is
    static byte[] frame(String name, String id, String data) {
        return "id: %s\nevent: %s\ndata: %s\n\n"
                .formatted(id, name, data)
                .getBytes(StandardCharsets.UTF_8);
    }

    static byte[] heartbeat() {
        return HEARTBEAT.getBytes(StandardCharsets.UTF_8);
    }
}
