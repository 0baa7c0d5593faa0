package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.json.JsonObject;

/// The encodings that one server and we have in common.
///
/// Protobuf is asked for built-in kinds, beside JSON, which every server has. Bodies of requests
/// are protobuf once the server has answered in it. A server that refuses such a body, or has
/// fields that our schemas lack, gets and sends JSON from then on.
final class NegotiatedEncodings {

    private static final String PREFER_PROTOBUF =
            ProtobufEncoding.TYPE + "," + HttpCall.JSON + ";q=0.9";

    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    /// What is known of the server. Later ones replace earlier ones, never the other way.
    private enum Stage {
        ASKED,
        ANSWERED,
        ANSWERS_ONLY,
        JSON
    }

    private final BodyEncoding json = new JsonEncoding();
    private final BodyEncoding protobuf = new ProtobufEncoding(() -> advance(Stage.JSON));
    private volatile Stage stage;

    NegotiatedEncodings(ClientOptions.Encoding wanted) {
        this.stage =
                switch (wanted) {
                    case JSON -> Stage.JSON;
                    case PROTOBUF -> Stage.ASKED;
                };
    }

    private synchronized void advance(Stage to) {
        stage = to.compareTo(stage) > 0 ? to : stage;
    }

    /// The value of `Accept` for objects at an address.
    String accept(ResourcePath address) {
        return stage != Stage.JSON && isBuiltIn(address) ? PREFER_PROTOBUF : HttpCall.JSON;
    }

    /// Groups of Kubernetes have no dot or end with `.k8s.io`. Custom kinds of such groups exist:
    /// servers answer them in JSON.
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

    /// The encoding of an answer.
    BodyEncoding of(ApiResponse<?> answer) {
        if (!answer.mediaType().startsWith(ProtobufEncoding.TYPE)) {
            return json;
        }
        advance(Stage.ANSWERED);
        return protobuf;
    }

    /// Whether the same request is worth sending again, as JSON.
    boolean isRefused(HttpCall call, ApiResponse<?> answer) {
        var isRefused =
                answer.statusCode() == UNSUPPORTED_MEDIA_TYPE
                        && call.body()
                                .filter(body -> body.type().equals(ProtobufEncoding.TYPE))
                                .isPresent();
        if (isRefused) {
            advance(Stage.ANSWERS_ONLY);
        }
        return isRefused;
    }
}
