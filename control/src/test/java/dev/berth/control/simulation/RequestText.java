package dev.berth.control.simulation;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.stream.Collectors;

/// Requests and results as short text for the trace.
final class RequestText {

    private RequestText() {}

    static String of(Request request) {
        return switch (request) {
            case Request.Get get -> "get " + get.name();
            case Request.Create create ->
                    "create %s %s %s"
                            .formatted(
                                    create.address().plural(),
                                    create.name().isEmpty()
                                            ? name(create.object())
                                            : create.name() + "/" + create.subresource(),
                                    create.object().objectOrEmpty("target").text("name"));
            case Request.Update update ->
                    "put %s %s %s"
                            .formatted(
                                    update.address().plural(),
                                    update.name() + "/" + update.subresource(),
                                    claim(update.object()));
            case Request.Patch patch ->
                    "patch %s %s %s"
                            .formatted(
                                    patch.address().plural(),
                                    patch.name() + "/" + patch.subresource(),
                                    shortened(JsonWriter.compact(patch.patch())));
            case Request.Delete delete ->
                    "delete %s %s".formatted(delete.address().plural(), delete.name());
        };
    }

    private static String name(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        return metadata.string("name").orElse(metadata.text("generateName"));
    }

    /// The devices of a claim and its consumers.
    static String claim(JsonObject claim) {
        var status = claim.objectOrEmpty("status");
        var devices =
                status.objectOrEmpty("allocation").objectOrEmpty("devices").objects("results");
        return "v%s %s for %s%s"
                .formatted(
                        claim.objectOrEmpty("metadata").text("resourceVersion"),
                        devices.stream()
                                .map(one -> one.text("pool") + "/" + one.text("device"))
                                .toList(),
                        status.objects("reservedFor").stream()
                                .map(one -> one.text("name") + "=" + start(one.text("uid")))
                                .collect(Collectors.joining(",", "(", ")")),
                        claim.objectOrEmpty("metadata").strings("finalizers").isEmpty()
                                ? ""
                                : " protected");
    }

    static String start(String uid) {
        return uid.substring(0, Math.min(4, uid.length()));
    }

    static String of(RequestResult result) {
        return switch (result) {
            case RequestResult.Done(var object) ->
                    "v" + object.objectOrEmpty("metadata").text("resourceVersion");
            case RequestResult.Refused refused -> "refused " + shortened(refused.message());
            case RequestResult other -> other.getClass().getSimpleName();
        };
    }

    private static String shortened(String text) {
        return text.length() > 160 ? text.substring(0, 160) : text;
    }
}
