package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.http.limit.ThrottledLog;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.registry.ApiError;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Formats the errors of the HTTP library as Kubernetes `Status` objects and closes the connection:
/// the library (Jetty 12.1.12) may access a rejected request again while the connection already
/// serves the next one, and then fails that one.
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
        var message =
                request.getAttribute(ERROR_MESSAGE) instanceof String text
                        ? text
                        : "invalid request";
        if (code == 500) {
            // Usually a client that has reset its request, which clients can do at any rate.
            metrics.requestAborted();
            log.log(() ->
                    "%s %s ended before it was served: %s"
                            .formatted(
                                    request.getMethod(),
                                    request.getHttpURI().getPath(),
                                    request.getAttribute(ERROR_EXCEPTION)));
        }
        var error = new ApiError(code, reason(code), message, JsonObject.EMPTY);
        if (request.getConnectionMetaData().getHttpVersion().getVersion() < 20) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        new ResponseWriter(request, response).send(ServerResponse.error(error), callback);
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
