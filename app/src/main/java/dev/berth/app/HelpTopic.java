package dev.berth.app;

import java.util.Arrays;
import java.util.Optional;

/// A page of `berth help` about all commands.
enum HelpTopic {
    EXIT_CODES(
            "exit-codes",
            """
            Exit codes of all commands:
                0  Success: the answer is yes.
                1  The answer is no (lint: invalid objects; explain and plan: pods that do not fit;
                   cdi: invalid documents; bench, conformance, demo: not all passed), or the
                   command failed; the message says why.
                2  Usage error: a wrong command line, a file or cluster that cannot be read, or an
                   object that does not exist.
                3  The launcher found no JDK 25 or no Maven, or the build failed.
              130  Stopped by Ctrl-C (SIGINT). Commands that run until interrupted have stopped
                   cleanly then.
              143  Stopped by SIGTERM, in the same way.

            berth COMMAND --help shows what 0, 1 and 2 mean for a command.
            """),
    ENVIRONMENT(
            "environment",
            """
            Environment variables that Berth reads:
              KUBECONFIG          Kubeconfig files, as for kubectl (default: $HOME/.kube/config).
              XDG_DATA_HOME       Parent of the default data directory (default: ~/.local/share).
              XDG_STATE_HOME      Parent of the list of running clusters (default: ~/.local/state).
              NODE_NAME           Name of the Node that berth driver publishes devices for.
              NO_COLOR            Any value turns colours off. Output that is not a terminal never
                                  has colours.
              COLUMNS             Width of tables, trees, help and the demo. Default: the width of
                                  the terminal. Without a terminal, text is wrapped at 100 columns;
                                  tables and trees are not shortened.
              BERTH_LOG           Log level: error, warn (the default), info, debug or trace.
              BERTH_TRACE         Any value prints the stack trace of an error.
              BERTH_JAVA_OPTIONS  Options for Java, after those of the launcher.
              JAVA_HOME           The JDK 25 to use.
            """);

    private final String id;
    private final String text;

    HelpTopic(String id, String text) {
        this.id = id;
        this.text = text;
    }

    static Optional<HelpTopic> find(String id) {
        return Arrays.stream(values()).filter(one -> one.id.equals(id)).findFirst();
    }

    String text() {
        return text;
    }
}
