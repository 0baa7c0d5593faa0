package dev.berth.app.cdi;

import picocli.CommandLine.Command;

/// `berth cdi`: lists and validates CDI specs.
@Command(
        name = "cdi",
        description = {
            "List, show and validate the Container Device Interface (CDI) documents of this"
                    + " machine.",
            "",
            "Drivers write CDI documents to tell container runtimes how to give a device to a"
                    + " container: device nodes, mounts, environment variables and hooks."
        },
        mixinStandardHelpOptions = true,
        subcommands = {CdiListCommand.class, CdiShowCommand.class, CdiValidateCommand.class},
        footer = {
            "Examples:",
            "  berth cdi list",
            "  berth cdi show gpu.example.com/gpu=0",
            "  berth cdi validate /etc/cdi my-device.yaml"
        })
public final class CdiCommand {}
