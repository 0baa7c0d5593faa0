package dev.berth.server.http;

import dev.berth.server.access.User;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Takes requests of the HTTP library, and gives it answers. Requests run on virtual threads, so
/// everything below may block.
final class ApiHandler extends Handler.Abstract {

    /// What all requests use.
    ///
    /// @param authenticator throws [dev.berth.server.registry.ApiException] for bad credentials
    /// @param seats for requests
    /// @param watches seats for answers that last
    /// @param memory for bodies and answers
    /// @param rejections the log of requests that found no seat
    /// @param failures the log of requests that the server could not serve
    record Parts(
            Router router,
            DurabilityWait durability,
            Function<RequestCredentials, User> authenticator,
            ServerLimits limits,
            Seats seats,
            Seats watches,
            MemoryBudget memory,
            ApiServerMetrics metrics,
            ThrottledLog rejections,
            ThrottledLog failures,
            Executor threads) {}

    private final Parts parts;
    private final WatchSockets sockets;
    private final ThrottledLog aborts =
            new ThrottledLog(LoggerFactory.getLogger(ApiHandler.class), Level.INFO);

    ApiHandler(Parts parts) {
        this.parts = parts;
        this.sockets = new WatchSockets(parts.threads, parts.limits.timeouts().progress());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (Thread.currentThread().isVirtual()) {
            serve(request, response, callback);
        } else {
            // The first request of a connection comes on the thread that finished the handshake, of
            // which there are few: a watch must not keep it.
            parts.threads.execute(() -> serve(request, response, callback));
        }
        return true;
    }

    private void serve(Request request, Response response, Callback callback) {
        // Only reading and writing can time out: the server may take its time.
        request.addIdleTimeoutListener(_ -> false);
        var completion =
                Callback.from(
                        callback::succeeded,
                        failure -> {
                            aborted(request, failure);
                            callback.failed(failure);
                        });
        new RequestExchange(parts, sockets, getServer(), request, response, completion).run();
    }

    private void aborted(Request request, Throwable cause) {
        parts.metrics.requestAborted();
        aborts.log(() ->
                "%s %s was aborted: %s"
                        .formatted(request.getMethod(), request.getHttpURI().getPath(), cause));
    }
}
