package dev.berth.app.cdi;

import picocli.CommandLine.Command;

/// `berth cdi`: the devices that containers can be given by name.
@Command(
        name = "cdi",
        description = {
            "Look at the Container Device Interface of this machine: the files by which",
            "drivers tell container runtimes what it takes to use a device."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {CdiListCommand.class, CdiShowCommand.class, CdiValidateCommand.class},
        footer = {
            "",
            "Examples:",
            "  berth cdi list",
            "  berth cdi show gpu.example.com/gpu=0",
            "  berth cdi validate /etc/cdi my-device.yaml",
            ""
        })
public final class CdiCommand {}
