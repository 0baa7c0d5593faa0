package dev.berth.app.image;

import dev.berth.app.print.OutputOption;
import dev.berth.app.print.TextTable;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.image.StoredImage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth image list`: lists the images of this machine.
@Command(
        name = "list",
        description = "List the images of this machine.",
        mixinStandardHelpOptions = true,
        footer = {"Examples:", "  berth image list", "  berth image list -o json"})
final class ImageListCommand implements Callable<Integer> {

    private static final int SHORT_ID = "sha256:".length() + 12;
    private static final long MEGABYTE = 1_000_000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private NodeDirectory directory = new NodeDirectory();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException {
        var images = directory.store().images();
        var out = spec.commandLine().getOut();
        out.print(output.render(() -> table(images), () -> tree(images)));
        out.flush();
        return 0;
    }

    private String table(List<StoredImage> images) {
        if (images.isEmpty()) {
            return "No images in %s. Import one with: berth image import FILE%s%n"
                    .formatted(directory.root(), directory.option());
        }
        var table = new TextTable("NAME", "ID", "SIZE", "COMMAND");
        for (var image : images) {
            var names = image.names().isEmpty() ? List.of("<none>") : image.names();
            names.forEach(name -> table.add(name, shortId(image), size(image), command(image)));
        }
        return table.toString();
    }

    private static String command(StoredImage image) {
        var config = image.config();
        return String.join(" ", config.entrypoint())
                + (config.entrypoint().isEmpty() ? "" : " ")
                + String.join(" ", config.command());
    }

    static String shortId(StoredImage image) {
        return image.id().substring(0, Math.min(SHORT_ID, image.id().length()));
    }

    static String size(StoredImage image) {
        return String.format(Locale.ROOT, "%.1f MB", (double) image.bytes() / MEGABYTE);
    }

    private static Json tree(List<StoredImage> images) {
        return Json.array(images.stream().map(ImageListCommand::tree).toList());
    }

    private static JsonObject tree(StoredImage image) {
        return JsonObject.of("names", Json.array(image.names().stream().map(Json::of).toList()))
                .with("id", Json.of(image.id()))
                .with("bytes", Json.of(image.bytes()))
                .with("importedAt", Json.of(image.importedAt().toString()))
                .with("config", image.settings());
    }
}
