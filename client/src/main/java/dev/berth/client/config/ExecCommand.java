package dev.berth.client.config;

import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The command of an exec credential plugin.
///
/// @param hint `installHint`, shown when the program is missing
/// @param where location of the configuration, for messages
record ExecCommand(
        String apiVersion,
        List<String> words,
        Map<String, String> environment,
        boolean providesCluster,
        String hint,
        String where) {

    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");

    ExecCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    static ExecCommand read(JsonObject exec, Kubeconfig.Entry user, String where) {
        var place = "%s: exec of user \"%s\"".formatted(where, user.name());
        var version = exec.text("apiVersion");
        if (!VERSIONS.contains(version)) {
            throw new ConfigException(
                    "%s: apiVersion \"%s\" is not known; use %sv1"
                            .formatted(place, version, GROUP));
        }
        var command = exec.text("command");
        if (command.isEmpty()) {
            throw new ConfigException(place + ": command is missing");
        }
        if (exec.text("interactiveMode").equals("Always")) {
            throw new ConfigException(
                    place
                            + ": interactiveMode is Always, but there is no terminal to prompt on;"
                            + " choose a plugin that works unattended");
        }
        var words = new ArrayList<String>();
        words.add(path(command, user));
        words.addAll(exec.strings("args"));
        var environment = new LinkedHashMap<String, String>();
        for (var one : exec.objects("env")) {
            environment.put(one.text("name"), one.text("value"));
        }
        return new ExecCommand(
                version,
                words,
                environment,
                exec.flag("provideClusterInfo").orElse(false),
                exec.text("installHint").strip(),
                place);
    }

    /// A bare name is looked up in `PATH`; a path is relative to the kubeconfig that contains it.
    private static String path(String command, Kubeconfig.Entry user) {
        return Path.of(command).getNameCount() > 1
                ? ClusterAccessReader.beside(user, command).toString()
                : command;
    }

    String program() {
        return words.getFirst();
    }
}
