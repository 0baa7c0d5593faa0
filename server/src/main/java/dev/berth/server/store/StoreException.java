package dev.berth.server.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// The store failed or is unreachable. The message says what the administrator can do.
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String UNAVAILABLE = "the store is unavailable, see the log of the server";

    private final String publicReason;

    public StoreException(String message) {
        super(message);
        this.publicReason = UNAVAILABLE;
    }

    public StoreException(String message, Throwable cause) {
        this(UNAVAILABLE, message, cause);
    }

    /// @param publicReason see [#publicReason]
    public StoreException(String publicReason, String message, Throwable cause) {
        super(message, cause);
        this.publicReason = publicReason;
    }

    /// Description for clients. Unlike the message it contains no path.
    public String publicReason() {
        return publicReason;
    }

    /// A copy for another thread, with the stack traces of both.
    public StoreException again() {
        return new StoreException(publicReason, String.valueOf(getMessage()), this);
    }

    /// Waits for the result of another thread.
    public static <T> T join(CompletableFuture<T> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException broken ? broken.again() : e;
        }
    }
}
