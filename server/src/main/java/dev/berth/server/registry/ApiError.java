package dev.berth.server.registry;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// An error response of the API: a Kubernetes `Status` with `status: Failure`.
///
/// @param reason the machine-readable reason: `NotFound`, `Conflict`, …
/// @param details identifies the object and lists causes; may be empty
public record ApiError(int code, String reason, String message, JsonObject details) {

    /// Identifies the object of an error.
    public record About(String group, String plural, String kind, String name) {

        /// `resourceclaims.resource.k8s.io`, or `pods` for the core group.
        public String qualified() {
            return group.isEmpty() ? plural : plural + "." + group;
        }

        private JsonObject details(String detailsKind) {
            var members = new LinkedHashMap<String, Json>();
            if (!name.isEmpty()) {
                members.put("name", Json.of(name));
            }
            if (!group.isEmpty()) {
                members.put("group", Json.of(group));
            }
            if (!detailsKind.isEmpty()) {
                members.put("kind", Json.of(detailsKind));
            }
            return new JsonObject(members);
        }
    }

    public static ApiError notFound(About about) {
        return new ApiError(
                404,
                "NotFound",
                "%s \"%s\" not found".formatted(about.qualified(), about.name),
                about.details(about.plural));
    }

    /// No resource is served at the requested path.
    public static ApiError noSuchPath() {
        return new ApiError(
                404,
                "NotFound",
                "the server could not find the requested resource",
                JsonObject.EMPTY);
    }

    /// A NotFound error with a given message, such as that of a node.
    public static ApiError notFound(String message) {
        return new ApiError(404, "NotFound", message, JsonObject.EMPTY);
    }

    public static ApiError alreadyExists(About about) {
        return new ApiError(
                409,
                "AlreadyExists",
                "%s \"%s\" already exists".formatted(about.qualified(), about.name),
                about.details(about.plural));
    }

    public static ApiError conflict(About about, String detail) {
        return new ApiError(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s \"%s\": %s"
                        .formatted(about.qualified(), about.name, detail),
                about.details(about.plural));
    }

    /// The object was modified since the client read it.
    public static ApiError modified(About about) {
        return conflict(
                about,
                "the object has been modified; please apply your changes to the latest version"
                        + " and try again");
    }

    public static ApiError forbidden(About about, String detail) {
        var subject =
                about.name.isEmpty()
                        ? about.qualified()
                        : "%s \"%s\"".formatted(about.qualified(), about.name);
        return new ApiError(
                403,
                "Forbidden",
                "%s is forbidden: %s".formatted(subject, detail),
                about.details(about.plural));
    }

    public static ApiError invalid(About about, List<FieldError> problems) {
        var all = problems.stream().map(FieldError::toString).distinct().toList();
        var text = all.size() == 1 ? all.getFirst() : "[" + String.join(", ", all) + "]";
        var qualified = about.group.isEmpty() ? about.kind : about.kind + "." + about.group;
        return new ApiError(
                422,
                "Invalid",
                "%s \"%s\" is invalid: %s".formatted(qualified, about.name, text),
                about.details(about.kind).with("causes", causes(problems)));
    }

    private static JsonArray causes(List<FieldError> problems) {
        return problems.stream()
                .map(problem ->
                        (Json)
                                JsonObject.of("reason", Json.of(problem.type().reason()))
                                        .with("message", Json.of(problem.message()))
                                        .with("field", Json.of(problem.path().toString())))
                .collect(Collectors.collectingAndThen(Collectors.toList(), JsonArray::new));
    }

    public static ApiError badRequest(String message) {
        return new ApiError(400, "BadRequest", message, JsonObject.EMPTY);
    }

    public static ApiError unauthorized() {
        return new ApiError(401, "Unauthorized", "Unauthorized", JsonObject.EMPTY);
    }

    public static ApiError methodNotAllowed() {
        return new ApiError(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                JsonObject.EMPTY);
    }

    public static ApiError notAcceptable(String offered) {
        return new ApiError(
                406,
                "NotAcceptable",
                "only the following media types are accepted: " + offered,
                JsonObject.EMPTY);
    }

    public static ApiError unsupportedMediaType(String accepted) {
        return new ApiError(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + accepted,
                JsonObject.EMPTY);
    }

    /// The body contains a part that cannot be decoded from its media type.
    ///
    /// @param accepted the media type to send instead
    public static ApiError unsupportedMediaType(String reason, String accepted) {
        return new ApiError(
                415,
                "UnsupportedMediaType",
                "%s; send %s".formatted(reason, accepted),
                JsonObject.EMPTY);
    }

    /// The requested revision has been compacted; the client has to list again.
    public static ApiError expired(String message) {
        return new ApiError(410, "Expired", message, JsonObject.EMPTY);
    }

    public static ApiError tooLarge(String message) {
        return new ApiError(413, "RequestEntityTooLarge", message, JsonObject.EMPTY);
    }

    public static ApiError tooManyRequests(String message, int retryAfterSeconds) {
        return new ApiError(
                429,
                "TooManyRequests",
                message,
                JsonObject.of("retryAfterSeconds", Json.of(retryAfterSeconds)));
    }

    public static ApiError internal(String message) {
        return new ApiError(
                500, "InternalError", "Internal error occurred: " + message, JsonObject.EMPTY);
    }

    public static ApiError unavailable(String message) {
        return new ApiError(503, "ServiceUnavailable", message, JsonObject.EMPTY);
    }

    public ApiException exception() {
        return new ApiException(this);
    }

    public JsonObject toJson() {
        var members = new LinkedHashMap<String, Json>();
        members.put("kind", Json.of("Status"));
        members.put("apiVersion", Json.of("v1"));
        members.put("metadata", JsonObject.EMPTY);
        members.put("status", Json.of("Failure"));
        members.put("message", Json.of(message));
        if (!reason.isEmpty()) {
            members.put("reason", Json.of(reason));
        }
        if (!details.isEmpty()) {
            members.put("details", details);
        }
        members.put("code", Json.of(code));
        return new JsonObject(members);
    }
}
