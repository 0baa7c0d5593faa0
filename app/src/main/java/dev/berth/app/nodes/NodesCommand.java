package dev.berth.app.nodes;

import picocli.CommandLine.Command;

/// `berth nodes`: lists, adds and removes simulated nodes.
@Command(
        name = "nodes",
        description = {
            "List, add and remove simulated nodes of a running cluster.",
            "",
            "Nodes are added and removed as Node objects with the label sim.berth.dev/profile, so"
                    + " kubectl can do the same."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {NodesListCommand.class, NodesAddCommand.class, NodesRemoveCommand.class},
        footer = {
            "Examples:",
            "  berth nodes list",
            "  berth nodes add h100x8=2",
            "  berth nodes remove h100x8-2 h100x8-3"
        })
public final class NodesCommand {}
