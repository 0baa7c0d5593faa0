package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Failure;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Words what the HTTP library refuses by itself as everything else is worded.
final class PlainErrors extends ErrorHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PlainErrors.class);

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var code = response.getStatus() < 400 ? 500 : response.getStatus();
        var message = request.getAttribute(ERROR_MESSAGE) instanceof String text ? text : "refused";
        if (code >= 500) {
            LOG.error(
                    "{} {} failed before it was read",
                    request.getMethod(),
                    request.getHttpURI().getPath(),
                    request.getAttribute(ERROR_EXCEPTION) instanceof Throwable cause
                            ? cause
                            : null);
        }
        var reason = code >= 500 ? "InternalError" : "BadRequest";
        var failure = new Failure(code, reason, message, JsonObject.EMPTY);
        new Answers(request, response).send(Reply.failure(failure), callback);
        return true;
    }
}
