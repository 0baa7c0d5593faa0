package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Words what the HTTP library refuses by itself as everything else is worded, and ends the
/// connection with it: the library (Jetty 12.1.12) may look at a request that it has refused once
/// more when the connection serves the next one already, and then fails that one.
final class HttpErrorResponses extends ErrorHandler {

    private static final Logger LOG = LoggerFactory.getLogger(HttpErrorResponses.class);

    private final ApiServerMetrics metrics;
    private final ThrottledLog log = new ThrottledLog(LOG, Level.INFO);

    HttpErrorResponses(ApiServerMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var code = response.getStatus() < 400 ? 500 : response.getStatus();
        var message = request.getAttribute(ERROR_MESSAGE) instanceof String text ? text : "refused";
        if (code == 500) {
            // Mostly a client that has reset its request; it can do so at any rate.
            metrics.requestAborted();
            log.log(() ->
                    "%s %s ended before it was served: %s"
                            .formatted(
                                    request.getMethod(),
                                    request.getHttpURI().getPath(),
                                    request.getAttribute(ERROR_EXCEPTION)));
        }
        var failure = new ApiError(code, reason(code), message, JsonObject.EMPTY);
        if (request.getConnectionMetaData().getHttpVersion().getVersion() < 20) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        new ResponseWriter(request, response).send(ServerResponse.failure(failure), callback);
        return true;
    }

    private static String reason(int code) {
        return switch (code) {
            case 500 -> "InternalError";
            case 503 -> "ServiceUnavailable";
            default -> "BadRequest";
        };
    }
}
