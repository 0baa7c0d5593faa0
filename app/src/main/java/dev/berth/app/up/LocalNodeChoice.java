package dev.berth.app.up;

import dev.berth.app.node.LocalNode;
import dev.berth.app.node.NodeOptions;
import dev.berth.app.node.NodeSetupException;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;

/// Whether this machine is a node of the cluster: by `--node`, or as at the last start.
final class LocalNodeChoice {

    /// The values of `--node`.
    enum Choice {
        LOCAL,
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Path directory;
    private final Optional<Choice> choice;
    private final Optional<SavedNodeChoice> remembered;
    private final NodeOptions flags;
    private final List<String> arguments;

    /// Creates a choice.
    ///
    /// @param flags values of the options of `command`
    LocalNodeChoice(
            Path directory, Optional<Choice> choice, NodeOptions flags, CommandLine command) {
        this.directory = directory;
        this.choice = choice;
        this.remembered = SavedNodeChoice.read(directory);
        var given = given(command);
        var asBefore = choice.isEmpty() && given.isEmpty() && remembered.isPresent();
        this.arguments = asBefore ? remembered.get().arguments() : given;
        this.flags = asBefore ? parsed(arguments) : flags;
    }

    private static NodeOptions parsed(List<String> arguments) {
        var flags = new NodeOptions();
        new CommandLine(flags)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.toArray(String[]::new));
        return flags;
    }

    /// The options of the node among the arguments of a command.
    static List<String> given(CommandLine command) {
        var ofNode = new CommandLine(new NodeOptions()).getCommandSpec().optionsMap().keySet();
        var arguments = new ArrayList<String>();
        for (var option : command.getParseResult().matchedOptions()) {
            if (ofNode.contains(option.longestName())) {
                var values = option.originalStringValues();
                values.forEach(value -> arguments.add(option.longestName() + "=" + value));
                if (values.isEmpty()) {
                    arguments.add(option.longestName());
                }
            }
        }
        return arguments;
    }

    boolean isWanted() {
        return choice.map(Choice.LOCAL::equals).orElse(remembered.isPresent());
    }

    /// Starts the node, and saves the choice for the next start.
    LocalNode start(EmbeddedBerth cluster, CommandLine command)
            throws NodeSetupException, InterruptedException {
        var node = startAgent(cluster, command);
        new SavedNodeChoice(node.agent().options().name(), arguments).write(directory);
        return node;
    }

    private LocalNode startAgent(EmbeddedBerth cluster, CommandLine command)
            throws NodeSetupException, InterruptedException {
        try {
            return InProcessNode.start(cluster, directory, flags, command);
        } catch (NodeSetupException e) {
            if (choice.isPresent()) {
                throw e;
            }
            throw new IllegalStateException(
                    ("%s. This machine is a node since the last start; `berth up --node none`"
                                    + " starts without it")
                            .formatted(e.getMessage()),
                    e);
        }
    }

    /// Sets a node without an agent that had one at the last start to NotReady, so that no pod is
    /// bound to it; the name of the node, if there is one.
    Optional<String> abandon(EmbeddedBerth cluster, Instant now) {
        if (isWanted() || remembered.isEmpty()) {
            return Optional.empty();
        }
        var name = remembered.get().name();
        var ready =
                ConditionTrees.update(
                                List.of(),
                                "Ready",
                                "Unknown",
                                "NodeStatusUnknown",
                                "the cluster runs without the agent of the node",
                                now)
                        .with("lastHeartbeatTime", Json.of(now));
        var status = JsonObject.of("status", JsonObject.of("conditions", Json.array(ready)));
        var outcome =
                cluster.cluster("berth-node")
                        .send(
                                new Request.Patch(
                                        ResourcePath.of(Kinds.NODE),
                                        "",
                                        name,
                                        "status",
                                        Request.PatchType.STRATEGIC,
                                        status));
        SavedNodeChoice.forget(directory);
        return outcome.isDone() ? Optional.of(name) : Optional.empty();
    }
}
