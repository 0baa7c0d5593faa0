package dev.berth.model.close;

import dev.berth.model.text.FailureText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.function.Consumer;

/// Stack of resources that are closed together, in reverse order of their opening.
///
/// A resource that fails to close does not keep the others open. Each resource is closed once, also
/// when the stack is closed several times. Users that share a stack between threads have to
/// synchronize.
public final class CloseStack {

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /// Adds a resource that is closed before all others.
    public <T extends AutoCloseable> T push(T resource) {
        resources.push(resource);
        return resource;
    }

    /// Adds a resource that is closed after all others.
    public void pushBottom(AutoCloseable resource) {
        resources.addLast(resource);
    }

    /// Closes all resources.
    ///
    /// @param onFailure gets each exception when it occurs
    public void close(Consumer<? super Exception> onFailure) {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception e) {
                onFailure.accept(e);
            }
        }
    }

    /// Closes all resources, then fails if one of them could not be closed.
    ///
    /// @param message beginning of the message of the exception
    /// @throws IllegalStateException caused by the first failure, with the others suppressed
    public void closeOrThrow(String message) {
        var failures = new ArrayList<Exception>();
        close(failures::add);
        if (!failures.isEmpty()) {
            var first = failures.removeFirst();
            var failure = new IllegalStateException(message + ": " + FailureText.of(first), first);
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
