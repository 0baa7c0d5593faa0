package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.json.JsonObject;

/// Negotiates the encoding with one server.
///
/// For built-in kinds the client accepts protobuf beside JSON, which every server has. Request
/// bodies are protobuf once the server has responded in it. With a server that rejects such a body,
/// or that has fields which our schemas lack, the client uses JSON from then on.
final class NegotiatedEncodings {

    private static final String PREFER_PROTOBUF =
            ProtobufEncoding.TYPE + "," + HttpCall.JSON + ";q=0.9";

    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    /// Progress of the negotiation with the server. Only moves forward.
    private enum Stage {
        REQUESTED,
        ANSWERED,
        ANSWERS_ONLY,
        JSON
    }

    private final BodyEncoding json = new JsonEncoding();
    private final BodyEncoding protobuf = new ProtobufEncoding(() -> advance(Stage.JSON));
    private volatile Stage stage;

    NegotiatedEncodings(ClientOptions.Encoding preferred) {
        this.stage =
                switch (preferred) {
                    case JSON -> Stage.JSON;
                    case PROTOBUF -> Stage.REQUESTED;
                };
    }

    private synchronized void advance(Stage to) {
        stage = to.compareTo(stage) > 0 ? to : stage;
    }

    /// The value of `Accept` for a resource.
    String accept(ResourcePath address) {
        return stage != Stage.JSON && isBuiltIn(address) ? PREFER_PROTOBUF : HttpCall.JSON;
    }

    /// API groups of Kubernetes have no dot or end with `.k8s.io`. Custom resources of such groups
    /// exist: servers respond to them in JSON.
    private static boolean isBuiltIn(ResourcePath address) {
        return !address.group().contains(".") || address.group().endsWith(".k8s.io");
    }

    /// The body of a request.
    HttpCall.Body body(JsonObject object) {
        return (stage == Stage.ANSWERED ? protobuf : json)
                .body(object)
                .or(() -> json.body(object))
                .orElseThrow();
    }

    /// The encoding of a response.
    BodyEncoding of(ApiResponse<?> response) {
        if (!response.mediaType().startsWith(ProtobufEncoding.TYPE)) {
            return json;
        }
        advance(Stage.ANSWERED);
        return protobuf;
    }

    /// Whether the server rejected a protobuf body, and the request should be sent again as JSON.
    boolean isRefused(HttpCall call, ApiResponse<?> response) {
        var isRefused =
                response.statusCode() == UNSUPPORTED_MEDIA_TYPE
                        && call.body()
                                .filter(body -> body.type().equals(ProtobufEncoding.TYPE))
                                .isPresent();
        if (isRefused) {
            advance(Stage.ANSWERS_ONLY);
        }
        return isRefused;
    }
}
