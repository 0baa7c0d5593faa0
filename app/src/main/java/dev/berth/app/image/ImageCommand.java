package dev.berth.app.image;

import picocli.CommandLine.Command;

/// `berth image`: manages the images of this machine.
@Command(
        name = "image",
        description = {
            "Import, list and remove container images of this machine.",
            "",
            "berth node and berth up --node local run containers of these images. Images are"
                    + " imported from files and directories; nothing is pulled from registries."
        },
        mixinStandardHelpOptions = true,
        subcommands = {ImageImportCommand.class, ImageListCommand.class, ImageRemoveCommand.class},
        footer = {
            "Examples:",
            "  berth image import app.tar",
            "  berth image import ./rootfs --name app:1 --cmd /bin/app",
            "  berth image list",
            "  berth image remove app:1"
        })
public final class ImageCommand {}
