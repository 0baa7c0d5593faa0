package dev.berth.node.agent;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.json.JsonObject;
import dev.berth.model.text.FailureText;
import dev.berth.node.file.PrivateDirectory;
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

/// Makes containers of pods, and starts them.
final class ContainerStarter {

    private static final ResourcePath CONFIG_MAPS = new ResourcePath("", "v1", "configmaps");
    private static final ResourcePath SECRETS = new ResourcePath("", "v1", "secrets");

    private final PodServices shop;
    private final TerminationMessages messages;

    ContainerStarter(PodServices shop) {
        this.shop = shop;
        this.messages = new TerminationMessages(shop.volumes());
    }

    /// Makes a container and starts it; its id.
    ///
    /// @param volumes of the pod, by name
    String start(
            PodDefinition task,
            Pod pod,
            String sandbox,
            ContainerDefinition container,
            int attempt,
            Map<String, MountedVolume> volumes)
            throws InvalidContainerException {
        var spec = spec(task, pod, container, attempt, volumes);
        var id = create(task, sandbox, spec);
        shop.events().tell(task.tree(), false, "Created", "Created container: " + container.name());
        try {
            shop.runtime().startContainer(id);
        } catch (RuntimeFailure e) {
            throw failed(task, "RunContainerError", String.valueOf(e.getMessage()));
        }
        shop.events().tell(task.tree(), false, "Started", "Started container " + container.name());
        return id;
    }

    private String create(PodDefinition task, String sandbox, ContainerSpec spec)
            throws InvalidContainerException {
        try {
            return shop.runtime().createContainer(sandbox, spec);
        } catch (RuntimeFailure e) {
            throw failed(task, "CreateContainerError", String.valueOf(e.getMessage()));
        }
    }

    private InvalidContainerException failed(PodDefinition task, String reason, String message) {
        shop.events().tell(task.tree(), true, "Failed", "Error: " + message);
        return new InvalidContainerException(reason, message);
    }

    private ContainerSpec spec(
            PodDefinition task,
            Pod pod,
            ContainerDefinition container,
            int attempt,
            Map<String, MountedVolume> volumes)
            throws InvalidContainerException {
        var image = image(task, container);
        var log = shop.logs(task).resolve(container.name()).resolve(attempt + ".log");
        try {
            PrivateDirectory.make(shop.logs(task));
            PrivateDirectory.make(log.resolveSibling(""));
            // Of containers that have ended, the last one's logs are to be had.
            LogFiles.keepAttempt(log.resolveSibling(""), attempt - 1);
            var variables =
                    ContainerEnvironment.of(
                            task.tree(),
                            container.tree(),
                            new ClusterSources(task.ref().namespace()),
                            shop.allocatable());
            var plan =
                    new ContainerSpecBuilder(
                            task,
                            container,
                            attempt,
                            image,
                            variables,
                            mounts(task, container, attempt, volumes, variables),
                            devices(pod, container.name()),
                            shop.allocatable().containsKey("memory")
                                    ? shop.allocatable().get("memory").roundedUp()
                                    : 0,
                            shop.security(),
                            log);
            return plan.spec();
        } catch (IOException e) {
            throw failed(
                    task, "CreateContainerError", "cannot make its files: " + FailureText.of(e));
        } catch (InvalidContainerException e) {
            throw failed(task, e.reason(), String.valueOf(e.getMessage()));
        }
    }

    private List<Mount> mounts(
            PodDefinition task,
            ContainerDefinition container,
            int attempt,
            Map<String, MountedVolume> volumes,
            Map<String, String> variables)
            throws IOException, InvalidContainerException {
        var mounts = new ArrayList<Mount>();
        mounts.add(messages.file(task, container, attempt));
        var pod = shop.volumes().directory(task.uid());
        mounts.addAll(new VolumeMounts(pod, container, volumes, variables).mounts());
        return mounts;
    }

    private ImageConfig image(PodDefinition task, ContainerDefinition container)
            throws InvalidContainerException {
        var name = container.image();
        try {
            var image = shop.runtime().image(name);
            if (image.isPresent()) {
                shop.events()
                        .tell(
                                task.tree(),
                                false,
                                "Pulled",
                                "Container image \"%s\" already present on machine"
                                        .formatted(name));
                return image.get();
            }
        } catch (RuntimeFailure e) {
            throw failed(task, "ImageInspectError", String.valueOf(e.getMessage()));
        }
        var message =
                "image \"%s\" is not on this node; import it with: %s"
                        .formatted(name, shop.runtime().importCommand(name));
        shop.events().tell(task.tree(), true, "Failed", message);
        var isForbidden = container.tree().text("imagePullPolicy").equals("Never");
        throw new InvalidContainerException(
                isForbidden ? "ErrImageNeverPull" : "ImagePullBackOff", message);
    }

    private List<String> devices(Pod pod, String name) throws InvalidContainerException {
        var container =
                Stream.concat(
                                pod.spec().initContainers().stream(),
                                pod.spec().containers().stream())
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        var held = shop.claims().held();
        for (var use : container.resources().claims()) {
            var claim = ContainerDevices.claimName(pod, use.name());
            if (claim.isPresent()
                    && held.find(new ObjectRef(pod.metadata().namespace(), claim.get()))
                            .isEmpty()) {
                throw new InvalidContainerException(
                        "CreateContainerError",
                        "internal error: unable to get claim info for ResourceClaim "
                                + claim.get());
            }
        }
        return shop.claims().devices(pod, container);
    }

    /// Objects of a namespace, read from the cluster when they are needed.
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
            return switch (shop.cluster().send(new Request.Get(address, namespace, name))) {
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
