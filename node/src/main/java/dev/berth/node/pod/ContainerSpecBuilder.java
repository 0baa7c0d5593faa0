package dev.berth.node.pod;

import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Mount;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.ImageConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Builds the runtime's container spec from the container definition, its image and its node.
///
/// @param variables environment of the container definition
/// @param mounts of volumes and of the agent's files, with paths that no container can change
/// @param nodeMemory capacity of the node in bytes
/// @param security defaults of the node for the pod's `securityContext`
public record ContainerSpecBuilder(
        PodDefinition pod,
        ContainerDefinition container,
        int attempt,
        ImageConfig image,
        Map<String, String> variables,
        List<Mount> mounts,
        List<String> devices,
        long nodeMemory,
        SecurityDefaults security,
        Path log) {

    public ContainerSpec spec() throws InvalidContainerException {
        var environment = new LinkedHashMap<String, String>();
        image.env().forEach(one -> environment.put(one.name(), one.value()));
        environment.put("HOSTNAME", hostname());
        environment.putAll(variables);
        var env = new ArrayList<EnvVariable>();
        environment.forEach((name, value) -> env.add(new EnvVariable(name, value)));
        var tree = container.tree();
        return new ContainerSpec(
                container.name(),
                attempt,
                container.image(),
                arguments(),
                env,
                tree.string("workingDir").orElse(image.workingDirectory()),
                mounts,
                devices,
                ContainerResources.of(pod, container, nodeMemory),
                new SecurityContext(pod, container, image, security).settings(),
                tree.flag("tty").orElse(false),
                tree.flag("stdin").orElse(false),
                log);
    }

    private String hostname() {
        return pod.spec().string("hostname").orElse(pod.ref().name());
    }

    private List<String> arguments() throws InvalidContainerException {
        var command = expanded("command");
        var given = expanded("args");
        var arguments = new ArrayList<String>();
        if (!command.isEmpty()) {
            arguments.addAll(command);
            arguments.addAll(given);
        } else {
            arguments.addAll(image.entrypoint());
            arguments.addAll(given.isEmpty() ? image.command() : given);
        }
        if (arguments.isEmpty()) {
            throw InvalidContainerException.config(
                    "neither container %s nor image %s has a command; set command"
                            .formatted(container.name(), container.image()));
        }
        return arguments;
    }

    private List<String> expanded(String field) {
        return container.tree().strings(field).stream()
                .map(one -> VariableExpansion.of(one, variables))
                .toList();
    }
}
