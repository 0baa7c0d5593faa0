package dev.berth.node.cri;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.wire.cri.ImageStatusResponse;

/// Converts image status of CRI.
final class CriImages {

    private CriImages() {}

    /// @param status a verbose status
    static ImageConfig config(ImageStatusResponse status) {
        var image = status.getImage();
        var config = config(status.getInfoOrDefault("info", ""));
        var user = image.hasUid() ? Long.toString(image.getUid().getValue()) : image.getUsername();
        return new ImageConfig(
                image.getId(),
                config.strings("Entrypoint"),
                config.strings("Cmd"),
                config.strings("Env").stream().map(CriImages::variable).toList(),
                config.text("WorkingDir"),
                config.string("User").filter(one -> !one.isEmpty()).orElse(user));
    }

    /// The image's OCI configuration, which runtimes return in the verbose info because CRI has no
    /// fields for it.
    private static JsonObject config(String info) {
        return JsonReader.read(info) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject tree
                ? tree.objectOrEmpty("imageSpec").objectOrEmpty("config")
                : JsonObject.EMPTY;
    }

    private static EnvVariable variable(String text) {
        var at = text.indexOf('=');
        return at < 0
                ? new EnvVariable(text, "")
                : new EnvVariable(text.substring(0, at), text.substring(at + 1));
    }
}
