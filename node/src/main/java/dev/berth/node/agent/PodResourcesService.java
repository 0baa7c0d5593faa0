package dev.berth.node.agent;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.wire.podresources.AllocatableResourcesRequest;
import dev.berth.wire.podresources.AllocatableResourcesResponse;
import dev.berth.wire.podresources.CDIDevice;
import dev.berth.wire.podresources.ClaimResource;
import dev.berth.wire.podresources.ContainerResources;
import dev.berth.wire.podresources.DynamicResource;
import dev.berth.wire.podresources.GetPodResourcesRequest;
import dev.berth.wire.podresources.GetPodResourcesResponse;
import dev.berth.wire.podresources.ListPodResourcesRequest;
import dev.berth.wire.podresources.ListPodResourcesResponse;
import dev.berth.wire.podresources.PodResourcesListerGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The kubelet's PodResources gRPC service: devices of pods, for monitoring agents on this machine.
final class PodResourcesService extends PodResourcesListerGrpc.PodResourcesListerImplBase {

    private final Supplier<List<JsonObject>> pods;
    private final Supplier<NodeClaimStates> claimStates;
    private final Codec codec = new Codec();

    /// @param pods the pods of this node
    PodResourcesService(Supplier<List<JsonObject>> pods, Supplier<NodeClaimStates> claimStates) {
        this.pods = pods;
        this.claimStates = claimStates;
    }

    @Override
    public void list(
            ListPodResourcesRequest request, StreamObserver<ListPodResourcesResponse> observer) {
        var response = ListPodResourcesResponse.newBuilder();
        var claims = claimStates.get();
        records().forEach(pod -> response.addPodResources(of(claims, pod)));
        observer.onNext(response.build());
        observer.onCompleted();
    }

    @Override
    public void get(
            GetPodResourcesRequest request, StreamObserver<GetPodResourcesResponse> observer) {
        var ref = new ObjectRef(request.getPodNamespace(), request.getPodName());
        var pod = records().filter(one -> one.metadata().ref().equals(ref)).findFirst();
        if (pod.isEmpty()) {
            observer.onError(
                    Status.NOT_FOUND
                            .withDescription("pod %s is not on this node".formatted(ref))
                            .asRuntimeException());
            return;
        }
        observer.onNext(
                GetPodResourcesResponse.newBuilder()
                        .setPodResources(of(claimStates.get(), pod.get()))
                        .build());
        observer.onCompleted();
    }

    /// Empty: the agent has no device plugins and no exclusive CPUs; DRA devices are listed in
    /// ResourceSlices.
    @Override
    public void getAllocatableResources(
            AllocatableResourcesRequest request,
            StreamObserver<AllocatableResourcesResponse> observer) {
        observer.onNext(AllocatableResourcesResponse.getDefaultInstance());
        observer.onCompleted();
    }

    private Stream<Pod> records() {
        return pods.get().stream()
                .map(tree -> codec.readTree(Kinds.POD, tree, UnknownFieldPolicy.LENIENT).orThrow());
    }

    private static dev.berth.wire.podresources.PodResources of(
            NodeClaimStates claimStates, Pod pod) {
        var resources =
                dev.berth.wire.podresources.PodResources.newBuilder()
                        .setName(pod.metadata().name())
                        .setNamespace(pod.metadata().namespace());
        Stream.concat(
                        pod.spec().initContainers().stream().filter(Container::isSidecar),
                        pod.spec().containers().stream())
                .forEach(container -> resources.addContainers(of(claimStates, pod, container)));
        return resources.build();
    }

    private static ContainerResources of(
            NodeClaimStates claimStates, Pod pod, Container container) {
        var resources = ContainerResources.newBuilder().setName(container.name());
        for (var use : container.resources().claims()) {
            PodClaimReferences.find(pod, use.name())
                    .flatMap(claimStates::find)
                    .ifPresent(claim -> resources.addDynamicResources(of(claim)));
        }
        return resources.build();
    }

    private static DynamicResource of(NodeClaimState claim) {
        var resource =
                DynamicResource.newBuilder()
                        .setClaimName(claim.ref().name())
                        .setClaimNamespace(claim.ref().namespace());
        claim.drivers()
                .forEach((driver, part) -> {
                    for (var device : part.devices()) {
                        var one =
                                ClaimResource.newBuilder()
                                        .setDriverName(driver)
                                        .setPoolName(device.pool())
                                        .setDeviceName(device.device());
                        device.share().ifPresent(one::setShareId);
                        device.cdiIds()
                                .forEach(id ->
                                        one.addCdiDevices(
                                                CDIDevice.newBuilder().setName(id).build()));
                        resource.addClaimResources(one);
                    }
                });
        return resource.build();
    }
}
