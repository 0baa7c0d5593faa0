package dev.berth.app.image;

import picocli.CommandLine.Command;

/// `berth image`: the images of this machine.
@Command(
        name = "image",
        description = {
            "Keep the images that containers of this machine are made of. Nothing is",
            "fetched from registries: images come as files."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ImageImportCommand.class, ImageListCommand.class, ImageRemoveCommand.class},
        footer = {
            "",
            "Examples:",
            "  berth image import app.tar",
            "  berth image import ./rootfs --name app:1 --cmd /bin/app",
            "  berth image list",
            "  berth image remove app:1",
            ""
        })
public final class ImageCommand {}
