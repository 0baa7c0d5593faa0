package dev.berth.app.image;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.image.ImageReference;
import dev.berth.node.image.ImageStore.ImportRequest;
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

/// `berth image import`: imports images from a file or a directory.
@Command(
        name = "import",
        description = {
            "Import images from an archive, an OCI layout or a root file system.",
            "",
            "FILE is an OCI archive or an archive of docker save or podman save. DIR is an OCI"
                    + " layout or a directory with a root file system."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "Examples:",
            "  docker save app:1 > app.tar && berth image import app.tar",
            "  skopeo copy docker://busybox oci-archive:busybox.tar:busybox:latest",
            "  berth image import busybox.tar",
            "  berth image import ./rootfs --name app:1 --cmd /bin/app --env LANG=C"
        })
final class ImageImportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private NodeDirectory directory = new NodeDirectory();

    @Parameters(
            paramLabel = "FILE|DIR",
            description = "Archive, OCI layout or root file system to import.")
    private Path source = Path.of("");

    @Option(
            names = "--name",
            paramLabel = "REF",
            description = "Name of the image (default: the name in the archive).")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--entrypoint",
            paramLabel = "WORD",
            description = "Entrypoint, for a root file system. Repeat it for each word.")
    private List<String> entrypoint = new ArrayList<>();

    @Option(
            names = "--cmd",
            paramLabel = "WORD",
            description = "Command, for a root file system. Repeat it for each word.")
    private List<String> command = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "Environment variable, for a root file system. Repeatable.")
    private List<String> env = new ArrayList<>();

    @Option(
            names = "--workdir",
            paramLabel = "DIR",
            description = "Working directory, for a root file system.")
    private Optional<String> workingDirectory = Optional.empty();

    @Option(
            names = "--user",
            paramLabel = "USER",
            description = "User, for a root file system (default: root).")
    private Optional<String> user = Optional.empty();

    @Option(
            names = "--max-unpacked-size",
            paramLabel = "QUANTITY",
            description =
                    "Limit for the unpacked size of the archive, and for that of all layers. An"
                            + " import beyond it fails and leaves no files.")
    private String maxSize = "20Gi";

    @Option(
            names = "--max-entries",
            paramLabel = "NUMBER",
            description = "Limit for the number of files, directories and links of all layers.")
    private long maxEntries = ImportLimits.DEFAULT.maxEntries();

    @Override
    public Integer call() throws IOException {
        var request = new ImportRequest(name.map(this::reference), settings());
        for (var image : directory.store().add(source, request, limits())) {
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
                                "--name: \"%s\" is not an image name such as app:1 or"
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
