package dev.berth.app.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.image.ImageReference;
import dev.berth.node.image.ImageStore.Wish;
import dev.berth.node.image.ImportLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth image import`: takes images from a file or a directory.
@Command(
        name = "import",
        description = {
            "Take images from an OCI archive, an archive of docker save or podman save, an",
            "OCI layout, or a directory that is a root file system as it stands."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  docker save app:1 > app.tar && berth image import app.tar",
            "  skopeo copy docker://busybox oci-archive:busybox.tar:busybox:latest",
            "  berth image import busybox.tar",
            "  berth image import ./rootfs --name app:1 --cmd /bin/app --env LANG=C",
            ""
        })
final class ImageImportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private NodeDirectory directory = new NodeDirectory();

    @Parameters(paramLabel = "FILE|DIR", description = "What to import.")
    private Path source = Path.of("");

    @Option(
            names = "--name",
            paramLabel = "REF",
            description = "Its name, in place of the one that it brings along.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--entrypoint",
            paramLabel = "WORD",
            description = "For a plain directory: what containers run; may be repeated.")
    private List<String> entrypoint = new ArrayList<>();

    @Option(
            names = "--cmd",
            paramLabel = "WORD",
            description = "For a plain directory: the arguments, or all of it; may be repeated.")
    private List<String> command = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "For a plain directory: a variable; may be repeated.")
    private List<String> env = new ArrayList<>();

    @Option(
            names = "--workdir",
            paramLabel = "DIR",
            description = "For a plain directory: where containers start.")
    private Optional<String> workingDirectory = Optional.empty();

    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "For a plain directory: as whom containers run (default: root).")
    private Optional<String> user = Optional.empty();

    @Option(
            names = "--max-unpacked-size",
            paramLabel = "QUANTITY",
            description =
                    "Limit for the unpacked bytes of the archive, and for those of all its layers."
                            + " An import beyond it fails and leaves nothing behind (default:"
                            + " ${DEFAULT-VALUE}).")
    private String maxSize = "20Gi";

    @Option(
            names = "--max-entries",
            paramLabel = "NUMBER",
            description =
                    "Limit for the files, directories and links of all layers (default:"
                            + " ${DEFAULT-VALUE}).")
    private long maxEntries = ImportLimits.USUAL.maxEntries();

    @Override
    public Integer call() throws IOException {
        var wish = new Wish(name.map(this::reference), settings());
        for (var image : directory.store().add(source, wish, limits())) {
            spec.commandLine()
                    .getOut()
                    .println(
                            "Imported %s (%s, %s)"
                                    .formatted(
                                            String.join(", ", image.names()),
                                            ImageListCommand.shortId(image),
                                            ImageListCommand.size(image)));
        }
        spec.commandLine().getOut().flush();
        return 0;
    }

    private ImportLimits limits() {
        var bytes = Quantity.tryParse(maxSize).map(Quantity::roundedUp).orElse(0L);
        if (bytes < 1 || maxEntries < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--max-unpacked-size and --max-entries must be positive, such as 20Gi and"
                            + " 1000000");
        }
        return new ImportLimits(bytes, maxEntries);
    }

    private ImageReference reference(String text) {
        return ImageReference.parse(text)
                .filter(one -> one.digest().isEmpty())
                .orElseThrow(() ->
                        new ParameterException(
                                spec.commandLine(),
                                "\"%s\" is not a name for an image; names are such as app:1 or"
                                                .formatted(text)
                                        + " registry.example.com/team/app:1"));
    }

    private JsonObject settings() {
        var settings = JsonObject.EMPTY;
        settings = with(settings, "Entrypoint", entrypoint);
        settings = with(settings, "Cmd", command);
        settings = with(settings, "Env", env);
        if (workingDirectory.isPresent()) {
            settings = settings.with("WorkingDir", Json.of(workingDirectory.get()));
        }
        return user.isPresent() ? settings.with("User", Json.of(user.get())) : settings;
    }

    private static JsonObject with(JsonObject settings, String name, List<String> words) {
        return words.isEmpty()
                ? settings
                : settings.with(name, Json.array(words.stream().map(Json::of).toList()));
    }
}
