package dev.berth.app.image;

import dev.berth.node.image.ImageStore.Removal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth image remove`: removes a name, and the image with its last name.
@Command(
        name = "remove",
        description = {
            "Remove a name of an image, and the image with its last name.",
            "",
            "An image that is named by its id (sha256:…) is removed with all of its names. An image"
                    + " that containers use is not removed."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:removed",
            "1:the image does not exist, or containers use it",
            "2:usage error"
        },
        footer = {"Example:", "  berth image remove app:1"})
final class ImageRemoveCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private NodeDirectory directory = new NodeDirectory();

    @Parameters(paramLabel = "REF", description = "Name or id of an image.")
    private String reference = "";

    @Override
    public Integer call() throws IOException {
        return switch (directory.store().remove(reference)) {
            case Removal.Removed(var image, var isGone) -> {
                spec.commandLine()
                        .getOut()
                        .println(
                                isGone
                                        ? "Removed " + reference
                                        : "Removed the name %s; the image still has %s"
                                                .formatted(
                                                        reference,
                                                        String.join(", ", image.names())));
                yield 0;
            }
            case Removal.Unknown _ ->
                    refused(
                            "image %s is not in %s; berth image list%s lists the images"
                                    .formatted(reference, directory.root(), directory.option()));
            case Removal.InUse(var containers) ->
                    refused(
                            "%d container%s image %s; delete their pods first"
                                    .formatted(
                                            containers,
                                            containers == 1 ? " uses" : "s use",
                                            reference));
        };
    }

    private int refused(String why) {
        spec.commandLine().getErr().println("berth: " + why);
        return 1;
    }
}
