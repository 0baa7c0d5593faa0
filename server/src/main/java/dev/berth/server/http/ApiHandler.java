package dev.berth.server.http;

import dev.berth.server.access.User;
import dev.berth.server.http.handler.Router;
import dev.berth.server.http.limit.MemoryBudget;
import dev.berth.server.http.limit.Seats;
import dev.berth.server.http.limit.ThrottledLog;
import dev.berth.server.store.Store;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Adapts the HTTP library (Jetty) to [RequestExchange]. Requests run on virtual threads, so
/// everything below may block.
final class ApiHandler extends Handler.Abstract {

    /// Collaborators that all requests share.
    ///
    /// @param authenticator throws [dev.berth.server.registry.ApiException] for invalid credentials
    /// @param seats seats of requests
    /// @param watches seats of long-running responses
    /// @param memory budget for request and response bodies
    /// @param rejections log of requests that were rejected with 429
    /// @param failures log of requests that failed with an internal error
    record Services(
            Router router,
            Store store,
            Function<RequestCredentials, User> authenticator,
            ServerLimits limits,
            Seats seats,
            Seats watches,
            MemoryBudget memory,
            ApiServerMetrics metrics,
            ThrottledLog rejections,
            ThrottledLog failures,
            Executor threads) {}

    private final Services services;
    private final WatchSockets sockets;
    private final ThrottledLog aborts =
            new ThrottledLog(LoggerFactory.getLogger(ApiHandler.class), Level.INFO);

    ApiHandler(Services services) {
        this.services = services;
        this.sockets = new WatchSockets(services.threads, services.limits.timeouts().progress());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (Thread.currentThread().isVirtual()) {
            serve(request, response, callback);
        } else {
            // The first request of a connection arrives on the thread that finished the handshake.
            // There are few of these, so a watch must not occupy one.
            services.threads.execute(() -> serve(request, response, callback));
        }
        return true;
    }

    private void serve(Request request, Response response, Callback callback) {
        // Only reading and writing can time out, not the processing by the server.
        request.addIdleTimeoutListener(_ -> false);
        var completion =
                Callback.from(
                        callback::succeeded,
                        failure -> {
                            aborted(request, failure);
                            callback.failed(failure);
                        });
        new RequestExchange(services, sockets, getServer(), request, response, completion).run();
    }

    private void aborted(Request request, Throwable cause) {
        services.metrics.requestAborted();
        aborts.log(() ->
                "%s %s was aborted: %s"
                        .formatted(request.getMethod(), request.getHttpURI().getPath(), cause));
    }
}
