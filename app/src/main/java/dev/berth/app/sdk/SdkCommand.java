package dev.berth.app.sdk;

import picocli.CommandLine.Command;

/// `berth sdk`: the driver SDK for authors of drivers.
@Command(
        name = "sdk",
        description = {
            "Install the SDK for DRA drivers in Java.",
            "",
            "The tutorial docs/tutorial/first-driver.md starts with it."
        },
        mixinStandardHelpOptions = true,
        subcommands = SdkInstallCommand.class,
        footer = {"Examples:", "  berth sdk install"})
public final class SdkCommand {}
