package dev.berth.node.agent;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import dev.berth.node.logs.LogFiles;
import dev.berth.node.pod.ContainerDefinition;
import dev.berth.node.pod.ContainerEnvironment;
import dev.berth.node.pod.ContainerSpecBuilder;
import dev.berth.node.pod.InvalidContainerException;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Mount;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.volume.MountedVolume;
import dev.berth.node.volume.VolumeMounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Creates and starts containers of pods.
final class ContainerStarter {

    private static final ResourcePath CONFIG_MAPS = new ResourcePath("", "v1", "configmaps");
    private static final ResourcePath SECRETS = new ResourcePath("", "v1", "secrets");

    private final PodServices services;
    private final TerminationMessages messages;

    ContainerStarter(PodServices services) {
        this.services = services;
        this.messages = new TerminationMessages(services.volumes());
    }

    /// Creates and starts a container. Returns its ID.
    ///
    /// @param volumes of the pod, by name
    String start(
            PodDefinition definition,
            Pod pod,
            String sandbox,
            ContainerDefinition container,
            int attempt,
            Map<String, MountedVolume> volumes)
            throws InvalidContainerException {
        var spec = spec(definition, pod, container, attempt, volumes);
        var id = create(definition, container.name(), sandbox, spec);
        record(definition, container.name(), false, "Created", "Container created");
        try {
            services.runtime().startContainer(id);
        } catch (RuntimeFailure e) {
            throw failed(
                    definition,
                    container.name(),
                    "RunContainerError",
                    String.valueOf(e.getMessage()));
        }
        record(definition, container.name(), false, "Started", "Container started");
        return id;
    }

    private void record(
            PodDefinition definition,
            String container,
            boolean isWarning,
            String reason,
            String message) {
        services.events().record(definition.tree(), container, isWarning, reason, message);
    }

    private String create(
            PodDefinition definition, String container, String sandbox, ContainerSpec spec)
            throws InvalidContainerException {
        try {
            return services.runtime().createContainer(sandbox, spec);
        } catch (RuntimeFailure e) {
            throw failed(
                    definition, container, "CreateContainerError", String.valueOf(e.getMessage()));
        }
    }

    private InvalidContainerException failed(
            PodDefinition definition, String container, String reason, String message) {
        record(definition, container, true, "Failed", "Error: " + message);
        return new InvalidContainerException(reason, message);
    }

    private ContainerSpec spec(
            PodDefinition definition,
            Pod pod,
            ContainerDefinition container,
            int attempt,
            Map<String, MountedVolume> volumes)
            throws InvalidContainerException {
        var image = image(definition, container);
        var log = services.logs(definition).resolve(container.name()).resolve(attempt + ".log");
        try {
            PrivateDirectory.make(services.logs(definition));
            PrivateDirectory.make(log.resolveSibling(""));
            // Of terminated containers only the last one's log is kept.
            LogFiles.keepAttempt(log.resolveSibling(""), attempt - 1);
            var variables =
                    ContainerEnvironment.of(
                            definition.tree(),
                            container.tree(),
                            new ClusterSources(definition.ref().namespace()),
                            services.allocatable());
            var plan =
                    new ContainerSpecBuilder(
                            definition,
                            container,
                            attempt,
                            image,
                            variables,
                            mounts(definition, container, attempt, volumes, variables),
                            devices(pod, container.name()),
                            services.allocatable().containsKey("memory")
                                    ? services.allocatable().get("memory").roundedUp()
                                    : 0,
                            services.security(),
                            log);
            return plan.spec();
        } catch (IOException e) {
            throw failed(
                    definition,
                    container.name(),
                    "CreateContainerError",
                    "cannot create its files: " + FailureText.of(e));
        } catch (InvalidContainerException e) {
            throw failed(definition, container.name(), e.reason(), String.valueOf(e.getMessage()));
        }
    }

    private List<Mount> mounts(
            PodDefinition definition,
            ContainerDefinition container,
            int attempt,
            Map<String, MountedVolume> volumes,
            Map<String, String> variables)
            throws IOException, InvalidContainerException {
        var mounts = new ArrayList<Mount>();
        mounts.add(messages.file(definition, container, attempt));
        var pod = services.volumes().directory(definition.uid());
        mounts.addAll(new VolumeMounts(pod, container, volumes, variables).mounts());
        return mounts;
    }

    private ImageConfig image(PodDefinition definition, ContainerDefinition container)
            throws InvalidContainerException {
        var name = container.image();
        try {
            var image = services.runtime().image(name);
            if (image.isPresent()) {
                record(
                        definition,
                        container.name(),
                        false,
                        "Pulled",
                        ("Container image \"%s\" already present on machine and can be accessed by"
                                        + " the pod")
                                .formatted(name));
                return image.get();
            }
        } catch (RuntimeFailure e) {
            throw failed(
                    definition,
                    container.name(),
                    "ImageInspectError",
                    String.valueOf(e.getMessage()));
        }
        var message =
                "image \"%s\" is not on this node; import it with: %s"
                        .formatted(name, services.runtime().importCommand(name));
        var isForbidden = container.tree().text("imagePullPolicy").equals("Never");
        var reason = isForbidden ? "ErrImageNeverPull" : "ImagePullBackOff";
        record(
                definition,
                container.name(),
                true,
                isForbidden ? reason : "Failed",
                isForbidden ? message : "Failed to pull image \"%s\": %s".formatted(name, message));
        record(definition, container.name(), true, "Failed", "Error: " + reason);
        throw new InvalidContainerException(reason, message);
    }

    private List<String> devices(Pod pod, String name) throws InvalidContainerException {
        var container =
                Stream.concat(
                                pod.spec().initContainers().stream(),
                                pod.spec().containers().stream())
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        var claimStates = services.claims().claimStates();
        for (var use : container.resources().claims()) {
            var claim = PodClaimReferences.find(pod, use.name());
            if (claim.isPresent() && claimStates.find(claim.get()).isEmpty()) {
                throw new InvalidContainerException(
                        "CreateContainerError",
                        "internal error: unable to get claim info for ResourceClaim "
                                + claim.get().name());
            }
        }
        return services.claims().devices(pod, container);
    }

    /// ConfigMaps and Secrets of a namespace, read on demand.
    private final class ClusterSources implements ContainerEnvironment.Sources {

        private final String namespace;

        ClusterSources(String namespace) {
            this.namespace = namespace;
        }

        @Override
        public Optional<JsonObject> configMap(String name) throws InvalidContainerException {
            return fetch(CONFIG_MAPS, name);
        }

        @Override
        public Optional<JsonObject> secret(String name) throws InvalidContainerException {
            return fetch(SECRETS, name);
        }

        private Optional<JsonObject> fetch(ResourcePath address, String name)
                throws InvalidContainerException {
            return switch (services.cluster().send(new Request.Get(address, namespace, name))) {
                case RequestResult.Done(var object) -> Optional.of(object);
                case RequestResult.Missing _ -> Optional.empty();
                case RequestResult other ->
                        throw InvalidContainerException.config(
                                "%s %s cannot be read: %s"
                                        .formatted(address.plural(), name, other.message()));
            };
        }
    }
}
