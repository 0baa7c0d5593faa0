package dev.berth.server.kinds.check;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Subresource;
import java.util.Locale;

/// Adapters for subresources, and checks that they share.
public final class SubresourceRules {

    /// Executes a write.
    @FunctionalInterface
    public interface Write {
        JsonObject to(
                JsonObject parent,
                JsonObject body,
                RequestContext context,
                Subresource.Writer writer);
    }

    /// Merges the request body into the newest parent object.
    @FunctionalInterface
    public interface Merge {
        JsonObject of(JsonObject parent, JsonObject body, RequestContext context);
    }

    private SubresourceRules() {}

    /// A write-only subresource.
    public static Subresource.Rules written(Write write) {
        return new Subresource.Rules() {
            @Override
            public JsonObject read(JsonObject parent, RequestContext context) {
                throw ApiError.methodNotAllowed().exception();
            }

            @Override
            public JsonObject write(
                    JsonObject parent,
                    JsonObject body,
                    RequestContext context,
                    Subresource.Writer writer) {
                return write.to(parent, body, context, writer);
            }
        };
    }

    /// A subresource with the kind of its parent, of which it may change a part.
    public static Subresource.Rules whole(Merge merge) {
        return new Subresource.Rules() {
            @Override
            public JsonObject read(JsonObject parent, RequestContext context) {
                return parent;
            }

            @Override
            public JsonObject write(
                    JsonObject parent,
                    JsonObject body,
                    RequestContext context,
                    Subresource.Writer writer) {
                return writer.change(newest -> {
                    sameIdentity(body, newest, about(newest));
                    return merge.of(newest, body, context);
                });
            }
        };
    }

    /// Derives the resource from the object; sufficient for a conflict, which names no plural.
    private static ApiError.About about(JsonObject object) {
        var kind = object.text("kind");
        return about("", kind.toLowerCase(Locale.ROOT) + "s", kind, object);
    }

    public static ApiError.About about(
            String group, String plural, String kind, JsonObject object) {
        return new ApiError.About(
                group, plural, kind, object.objectOrEmpty("metadata").text("name"));
    }

    /// Rejects a body with another name, UID or resource version.
    public static void sameIdentity(JsonObject body, JsonObject object, ApiError.About about) {
        var sent = body.objectOrEmpty("metadata");
        var stored = object.objectOrEmpty("metadata");
        if (!sent.text("uid").isEmpty() && !sent.text("uid").equals(stored.text("uid"))) {
            throw ApiError.conflict(
                            about,
                            "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                                    .formatted(sent.text("uid"), stored.text("uid")))
                    .exception();
        }
        var revision = sent.text("resourceVersion");
        if (!revision.isEmpty() && !revision.equals(stored.text("resourceVersion"))) {
            throw ApiError.modified(about).exception();
        }
    }

    public static void throwIfInvalid(ApiError.About about, ObjectChecks checks) {
        if (!checks.found().isEmpty()) {
            throw ApiError.invalid(about, checks.found()).exception();
        }
    }

    /// A `Status` with success.
    public static JsonObject success(int code) {
        return JsonObject.of("kind", Json.of("Status"))
                .with("apiVersion", Json.of("v1"))
                .with("metadata", JsonObject.EMPTY)
                .with("status", Json.of("Success"))
                .with("code", Json.of(code));
    }
}
