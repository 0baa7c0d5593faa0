package dev.berth.server.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// The store is broken or out of reach. The message says what to do.
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    /// The same for another thread, whose way to it is told, too.
    StoreException again() {
        return new StoreException(String.valueOf(getMessage()), this);
    }

    /// Waits for what another thread is going to say.
    static <T> T join(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException broken ? broken.again() : e;
        }
    }
}
