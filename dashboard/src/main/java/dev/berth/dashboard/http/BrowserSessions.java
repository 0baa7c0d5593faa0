package dev.berth.dashboard.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The sessions of browsers that have logged in. They end with the process.
final class BrowserSessions {

    /// Limit of sessions; the one that was unused for the longest time ends.
    private static final int MAX_SESSIONS = 64;

    private static final float LOAD = 0.75f;

    private final SecretText secrets = new SecretText();
    private final Consumer<String> ended;

    // Identifiers by digest, in the order of use; guarded by this.
    private final Map<String, String> sessions = new LinkedHashMap<>(MAX_SESSIONS, LOAD, true);
    private int count;

    /// @param ended called with the identifier of a session that ended
    BrowserSessions(Consumer<String> ended) {
        this.ended = ended;
    }

    /// Starts a session and returns its cookie value.
    synchronized String start() {
        if (sessions.size() == MAX_SESSIONS) {
            var oldest = sessions.keySet().iterator().next();
            ended.accept(String.valueOf(sessions.remove(oldest)));
        }
        var secret = secrets.next();
        sessions.put(SecretText.digest(secret), "session-" + ++count);
        return secret;
    }

    /// The session with a cookie value.
    synchronized Optional<String> find(String cookie) {
        return Optional.ofNullable(sessions.get(SecretText.digest(cookie)));
    }
}
