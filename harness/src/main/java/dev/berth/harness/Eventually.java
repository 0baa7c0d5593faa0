package dev.berth.harness;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Polls for conditions that become true asynchronously.
public final class Eventually {

    /// Longer than any delay of a busy machine: it matters only for a test that fails.
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final Duration INTERVAL = Duration.ofMillis(5);

    private Eventually() {}

    /// A condition that may fail.
    @FunctionalInterface
    public interface Condition {
        boolean isTrue() throws Exception;
    }

    /// Returns as soon as the condition is true; fails after a timeout.
    public static void holds(Condition condition) {
        holds("the condition is true", condition);
    }

    /// Returns as soon as the condition is true; fails after a timeout.
    ///
    /// @param what text of the condition
    public static void holds(String what, Condition condition) {
        holds(() -> what, condition);
    }

    /// Returns as soon as the condition is true; fails after a timeout.
    ///
    /// @param what text of the condition, with the state at the time of the failure
    public static void holds(Supplier<String> what, Condition condition) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (!isTrue(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "not after %d s: %s".formatted(TIMEOUT.toSeconds(), what.get()));
            }
            pause();
        }
    }

    /// The result of the first call that does not throw this exception; fails after a timeout.
    public static <T> T succeeds(Class<? extends Exception> expected, Callable<T> call) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                return call.call();
            } catch (InterruptedException e) {
                throw interrupted(e);
            } catch (Exception e) {
                if (!expected.isInstance(e) || System.nanoTime() > end) {
                    throw new AssertionError("the call failed", e);
                }
            }
            pause();
        }
    }

    private static boolean isTrue(Condition condition) {
        try {
            return condition.isTrue();
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (Exception e) {
            throw new AssertionError("the condition failed", e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(INTERVAL);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
