package dev.berth.app.image;

import dev.berth.node.image.ImageStore.Removal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth image remove`: takes a name away, and the image with its last.
@Command(
        name = "remove",
        description = {
            "Take a name from an image. With its last name the image goes; by its id it",
            "goes with all of them. One that containers are made of stays."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:it was done",
            "1:there is no such image, or containers are made of it",
            "2:the command line is wrong"
        },
        footer = {"", "Example:  berth image remove app:1", ""})
final class ImageRemoveCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private NodeDirectory directory = new NodeDirectory();

    @Parameters(paramLabel = "REF", description = "A name, or sha256:… of an image.")
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
                            "there is no image %s in %s; see: berth image list"
                                    .formatted(reference, directory.root()));
            case Removal.InUse(var containers) ->
                    refused(
                            "%d container%s made of image %s; remove the pods first"
                                    .formatted(
                                            containers,
                                            containers == 1 ? " is" : "s are",
                                            reference));
        };
    }

    private int refused(String why) {
        spec.commandLine().getErr().println("berth: " + why);
        return 1;
    }
}
