package dev.berth.node.endpoint;

import java.util.List;

/// Which command is wanted, and how to talk with it.
record ExecQuery(
        List<String> command,
        boolean hasInput,
        boolean hasOutput,
        boolean hasErrors,
        boolean hasTerminal) {

    ExecQuery {
        command = List.copyOf(command);
    }

    static ExecQuery of(EndpointQuery query) throws EndpointError {
        var command = query.all("command");
        if (command.isEmpty()) {
            throw EndpointError.badRequest(
                    "no command was given to run; add command=… for each word");
        }
        var wanted =
                new ExecQuery(
                        command,
                        query.flag("input"),
                        query.flag("output"),
                        query.flag("error"),
                        query.flag("tty"));
        if (!wanted.hasInput && !wanted.hasOutput && !wanted.hasErrors) {
            throw EndpointError.badRequest("you must specify at least 1 of stdin, stdout, stderr");
        }
        return wanted;
    }
}
