package dev.berth.server.http;

import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Failure;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// Words what the HTTP library refuses by itself as everything else is worded.
final class PlainErrors extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var code = response.getStatus() < 400 ? 500 : response.getStatus();
        var message = request.getAttribute(ERROR_MESSAGE) instanceof String text ? text : "refused";
        var reason = code >= 500 ? "InternalError" : "BadRequest";
        var failure = new Failure(code, reason, message, JsonObject.EMPTY);
        new Answers(request, response).send(Reply.failure(failure), callback);
        return true;
    }
}
