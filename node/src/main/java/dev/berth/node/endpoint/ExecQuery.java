package dev.berth.node.endpoint;

import java.util.List;

/// Parameters of an exec request: the command and its streams.
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
                    "no command; add a query parameter command=… for each argument");
        }
        var exec =
                new ExecQuery(
                        command,
                        query.flag("input"),
                        query.flag("output"),
                        query.flag("error"),
                        query.flag("tty"));
        if (!exec.hasInput && !exec.hasOutput && !exec.hasErrors) {
            throw EndpointError.badRequest("you must specify at least 1 of stdin, stdout, stderr");
        }
        return exec;
    }
}
