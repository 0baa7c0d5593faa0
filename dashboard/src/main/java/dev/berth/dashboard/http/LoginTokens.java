package dev.berth.dashboard.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// One-time tokens for logins. A token is valid once, for a minute.
final class LoginTokens {

    private static final Duration LIFETIME = Duration.ofSeconds(60);

    /// Limit of valid tokens; the oldest is dropped.
    private static final int MAX_TOKENS = 64;

    private final Clock clock;
    private final SecretText secrets = new SecretText();

    // Expiry by digest, oldest first; guarded by this.
    private final Map<String, Instant> expiries = new LinkedHashMap<>();

    LoginTokens(Clock clock) {
        this.clock = clock;
    }

    synchronized String issue() {
        if (expiries.size() == MAX_TOKENS) {
            expiries.remove(expiries.keySet().iterator().next());
        }
        var token = secrets.next();
        expiries.put(SecretText.digest(token), clock.instant().plus(LIFETIME));
        return token;
    }

    /// Whether a token is valid. It is not valid afterwards.
    synchronized boolean redeem(String token) {
        var expiry = expiries.remove(SecretText.digest(token));
        return expiry != null && !clock.instant().isAfter(expiry);
    }
}
