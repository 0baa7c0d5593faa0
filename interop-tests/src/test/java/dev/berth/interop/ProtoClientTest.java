package dev.berth.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import io.kubernetes.client.ProtoClient;
import io.kubernetes.client.ProtoClient.ObjectOrStatus;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.proto.Meta.DeleteOptions;
import io.kubernetes.client.proto.Meta.LabelSelector;
import io.kubernetes.client.proto.Meta.MicroTime;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.Time;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The protobuf client of the official Java client. Its messages are generated from the .proto
/// files of Kubernetes, so that a wrong field number shows as an unknown or a missing field.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtoClientTest {

    private static final String NAMESPACE = "/api/v1/namespaces/default/";
    private static final String VERSION = "resource.k8s.io/v1";
    private static final String DEVICES = "/apis/resource.k8s.io/v1/";
    private static final String CLAIMS = DEVICES + "namespaces/default/resourceclaims";
    private static final int MANY = 100;

    private ApiServer server;
    private ApiClient client;
    private ProtoClient proto;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        server =
                ApiServer.start(
                        ServerSettings.in(directory)
                                .withAddress("127.0.0.1", 0)
                                .withStore(new StoreChoice.Memory()));
        client = Config.fromConfig(server.kubeconfig().toString());
        proto = new ProtoClient(client);
    }

    @AfterAll
    void stop() {
        client.getHttpClient().dispatcher().executorService().shutdownNow();
        client.getHttpClient().connectionPool().evictAll();
        server.close();
    }

    private static ObjectMeta named(String name) {
        return ObjectMeta.newBuilder().setName(name).build();
    }

    private static Quantity quantity(String text) {
        return Quantity.newBuilder().setString(text).build();
    }

    /// The object of a response, all of whose fields must be known to the client.
    private static <T extends Message> T object(ObjectOrStatus<T> answer) {
        assertThat(answer.status).as("%s", answer.status).isNull();
        assertThat(unknown(answer.object)).isEmpty();
        return answer.object;
    }

    /// Messages with fields whose numbers are unknown.
    private static List<String> unknown(Message message) {
        var own =
                message.getUnknownFields().asMap().isEmpty()
                        ? Stream.<String>of()
                        : Stream.of(
                                message.getDescriptorForType().getName()
                                        + message.getUnknownFields().asMap().keySet());
        var inner =
                message.getAllFields().entrySet().stream()
                        .filter(field -> isMessage(field.getKey()))
                        .flatMap(field ->
                                field.getKey().isRepeated()
                                        ? ((List<?>) field.getValue()).stream()
                                        : Stream.of(field.getValue()))
                        .flatMap(value -> unknown((Message) value).stream());
        return Stream.concat(own, inner).toList();
    }

    private static boolean isMessage(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    }

    private static void isStatus(ObjectOrStatus<?> answer, int code, String reason) {
        assertThat(answer.object).isNull();
        assertThat(answer.status.getCode()).isEqualTo(code);
        assertThat(answer.status.getReason()).isEqualTo(reason);
        assertThat(answer.status.getMessage()).isNotEmpty();
    }

    private static V1.Pod pod(String name) {
        var container =
                V1.Container.newBuilder()
                        .setName("c")
                        .setImage("i")
                        .addEnv(V1.EnvVar.newBuilder().setName("A").setValue("b"))
                        .setResources(
                                V1.ResourceRequirements.newBuilder()
                                        .putRequests("cpu", quantity("100m"))
                                        .addClaims(V1.ResourceClaim.newBuilder().setName("r")))
                        .setSecurityContext(V1.SecurityContext.newBuilder().setRunAsUser(0));
        var claim = V1.PodResourceClaim.newBuilder().setName("r").setResourceClaimName("claim");
        var source =
                V1.VolumeSource.newBuilder()
                        .setEmptyDir(
                                V1.EmptyDirVolumeSource.newBuilder().setSizeLimit(quantity("1Gi")));
        return V1.Pod.newBuilder()
                .setMetadata(named(name))
                .setSpec(
                        V1.PodSpec.newBuilder()
                                .addContainers(container)
                                .addResourceClaims(claim)
                                .addVolumes(
                                        V1.Volume.newBuilder().setName("v").setVolumeSource(source))
                                .setTerminationGracePeriodSeconds(0))
                .build();
    }

    @Test
    void podsAreCreatedReadListedUpdatedAndDeleted() throws ApiException, IOException {
        var made = object(proto.create(pod("p"), NAMESPACE + "pods", "v1", "Pod"));
        assertThat(made.getMetadata().getUid()).isNotEmpty();
        assertThat(made.getMetadata().getCreationTimestamp().getSeconds()).isPositive();
        assertThat(made.getSpec().getRestartPolicy()).isEqualTo("Always");
        assertThat(made.getSpec().getContainers(0).getSecurityContext().hasRunAsUser()).isTrue();
        assertThat(made.getSpec().getTerminationGracePeriodSeconds()).isZero();
        assertThat(made.getSpec().getVolumes(0).getVolumeSource().getEmptyDir().getSizeLimit())
                .isEqualTo(quantity("1Gi"));
        var read = object(proto.<V1.Pod>get(V1.Pod.newBuilder(), NAMESPACE + "pods/p"));
        assertThat(read).isEqualTo(made);
        var list = object(proto.<V1.PodList>list(V1.PodList.newBuilder(), NAMESPACE + "pods"));
        assertThat(list.getItemsList()).containsExactly(made);
        var labelled =
                made.toBuilder()
                        .setMetadata(made.getMetadata().toBuilder().putLabels("tier", ""))
                        .build();
        var updated = object(proto.update(labelled, NAMESPACE + "pods/p", "v1", "Pod"));
        assertThat(updated.getMetadata().getLabelsMap()).containsEntry("tier", "");
        assertThat(updated.getSpec()).isEqualTo(made.getSpec());
        isStatus(
                proto.update(
                        made.toBuilder()
                                .setMetadata(
                                        made.getMetadata().toBuilder().putLabels("tier", "old"))
                                .build(),
                        NAMESPACE + "pods/p",
                        "v1",
                        "Pod"),
                409,
                "Conflict");
        var options = DeleteOptions.newBuilder().setGracePeriodSeconds(0).build();
        proto.delete(V1.Pod.newBuilder(), NAMESPACE + "pods/p", options);
        isStatus(proto.get(V1.Pod.newBuilder(), NAMESPACE + "pods/p"), 404, "NotFound");
    }

    @Test
    void anUpdateWithoutAChangeKeepsTheVersion() throws ApiException, IOException {
        var map = V1.ConfigMap.newBuilder().setMetadata(named("same")).putData("a", "").build();
        var made = object(proto.create(map, NAMESPACE + "configmaps", "v1", "ConfigMap"));
        assertThat(object(proto.update(made, NAMESPACE + "configmaps/same", "v1", "ConfigMap")))
                .isEqualTo(made);
    }

    @Test
    void errorsAreStatus() throws ApiException, IOException {
        var maps = NAMESPACE + "configmaps";
        var map = V1.ConfigMap.newBuilder().setMetadata(named("once")).build();
        proto.create(map, maps, "v1", "ConfigMap");
        isStatus(proto.create(map, maps, "v1", "ConfigMap"), 409, "AlreadyExists");
        var odd = V1.ConfigMap.newBuilder().setMetadata(named("A_B")).build();
        var invalid = proto.create(odd, maps, "v1", "ConfigMap");
        isStatus(invalid, 422, "Invalid");
        assertThat(invalid.status.getDetails().getCauses(0).getField()).isEqualTo("metadata.name");
        isStatus(proto.get(V1.ConfigMap.newBuilder(), maps + "/none"), 404, "NotFound");
    }

    @Test
    void nodesAndLeasesOfKubelets() throws ApiException, IOException {
        var status =
                V1.NodeStatus.newBuilder()
                        .putCapacity("cpu", quantity("4"))
                        .putAllocatable("cpu", quantity("4"))
                        .addConditions(
                                V1.NodeCondition.newBuilder().setType("Ready").setStatus("True"))
                        .setNodeInfo(V1.NodeSystemInfo.newBuilder().setKubeletVersion("v1.37.0"));
        var node = V1.Node.newBuilder().setMetadata(named("n1")).setStatus(status).build();
        var made = object(proto.create(node, "/api/v1/nodes", "v1", "Node"));
        assertThat(made.getStatus().getCapacityMap()).containsEntry("cpu", quantity("4"));
        var ready =
                made.toBuilder()
                        .setStatus(
                                made.getStatus().toBuilder()
                                        .addImages(
                                                V1.ContainerImage.newBuilder()
                                                        .addNames("i:1")
                                                        .setSizeBytes(7)))
                        .build();
        var updated = object(proto.update(ready, "/api/v1/nodes/n1/status", "v1", "Node"));
        assertThat(updated.getStatus().getImages(0).getSizeBytes()).isEqualTo(7);

        var leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
        var renewed = MicroTime.newBuilder().setSeconds(1_700_000_000).setNanos(123_456_000);
        var lease =
                V1Coordination.Lease.newBuilder()
                        .setMetadata(named("n1"))
                        .setSpec(
                                V1Coordination.LeaseSpec.newBuilder()
                                        .setHolderIdentity("n1")
                                        .setLeaseDurationSeconds(40)
                                        .setRenewTime(renewed))
                        .build();
        var held = object(proto.create(lease, leases, "coordination.k8s.io/v1", "Lease"));
        assertThat(held.getSpec()).isEqualTo(lease.getSpec());
    }

    @Test
    void classesAndClaims() throws ApiException, IOException {
        var selector =
                V1Resource.DeviceSelector.newBuilder()
                        .setCel(
                                V1Resource.CELDeviceSelector.newBuilder()
                                        .setExpression("device.driver == 'gpu.example.com'"));
        var type =
                V1Resource.DeviceClass.newBuilder()
                        .setMetadata(named("gpu.example.com"))
                        .setSpec(V1Resource.DeviceClassSpec.newBuilder().addSelectors(selector))
                        .build();
        var stored = object(proto.create(type, DEVICES + "deviceclasses", VERSION, "DeviceClass"));
        assertThat(stored.getSpec()).isEqualTo(type.getSpec());

        var request =
                V1Resource.DeviceRequest.newBuilder()
                        .setName("r")
                        .setExactly(
                                V1Resource.ExactDeviceRequest.newBuilder()
                                        .setDeviceClassName("gpu.example.com"));
        var claim =
                V1Resource.ResourceClaim.newBuilder()
                        .setMetadata(named("claim"))
                        .setSpec(
                                V1Resource.ResourceClaimSpec.newBuilder()
                                        .setDevices(
                                                V1Resource.DeviceClaim.newBuilder()
                                                        .addRequests(request)))
                        .build();
        var claimed = object(proto.create(claim, CLAIMS, VERSION, "ResourceClaim"));
        var exactly = claimed.getSpec().getDevices().getRequests(0).getExactly();
        assertThat(exactly.getCount()).isEqualTo(1);
        assertThat(exactly.getAllocationMode()).isEqualTo("ExactCount");
    }

    @Test
    void slicesOfDrivers() throws ApiException, IOException {
        var device =
                V1Resource.Device.newBuilder()
                        .setName("gpu-0")
                        .putAttributes(
                                "index", V1Resource.DeviceAttribute.newBuilder().setInt(0).build())
                        .putCapacity(
                                "memory",
                                V1Resource.DeviceCapacity.newBuilder()
                                        .setValue(quantity("80Gi"))
                                        .build());
        var slice =
                V1Resource.ResourceSlice.newBuilder()
                        .setMetadata(named("slice"))
                        .setSpec(
                                V1Resource.ResourceSliceSpec.newBuilder()
                                        .setDriver("gpu.example.com")
                                        .setNodeName("n1")
                                        .setPool(
                                                V1Resource.ResourcePool.newBuilder()
                                                        .setName("n1")
                                                        .setResourceSliceCount(1))
                                        .addDevices(device))
                        .build();
        var published =
                object(proto.create(slice, DEVICES + "resourceslices", VERSION, "ResourceSlice"));
        var attribute = published.getSpec().getDevices(0).getAttributesMap().get("index");
        assertThat(attribute.hasInt()).isTrue();
        assertThat(published.getSpec().getDevices(0)).isEqualTo(slice.getSpec().getDevices(0));
    }

    @Test
    void eventsAndDeployments() throws ApiException, IOException {
        var seen = Time.newBuilder().setSeconds(1_700_000_000).setNanos(0).build();
        var event =
                V1.Event.newBuilder()
                        .setMetadata(named("e"))
                        .setInvolvedObject(
                                V1.ObjectReference.newBuilder()
                                        .setKind("Pod")
                                        .setName("p")
                                        .setNamespace("default"))
                        .setReason("Started")
                        .setType("Normal")
                        .setCount(1)
                        .setFirstTimestamp(seen)
                        .setLastTimestamp(seen)
                        .build();
        var recorded = object(proto.create(event, NAMESPACE + "events", "v1", "Event"));
        assertThat(recorded.getFirstTimestamp()).isEqualTo(seen);

        var deployments = "/apis/apps/v1/namespaces/default/deployments";
        var template =
                V1.PodTemplateSpec.newBuilder()
                        .setMetadata(ObjectMeta.newBuilder().putLabels("app", "web"))
                        .setSpec(pod("x").getSpec());
        var deployment =
                V1Apps.Deployment.newBuilder()
                        .setMetadata(named("web"))
                        .setSpec(
                                V1Apps.DeploymentSpec.newBuilder()
                                        .setReplicas(0)
                                        .setSelector(
                                                LabelSelector.newBuilder()
                                                        .putMatchLabels("app", "web"))
                                        .setTemplate(template))
                        .build();
        var made = object(proto.create(deployment, deployments, "apps/v1", "Deployment"));
        assertThat(made.getSpec().getReplicas()).isZero();
        assertThat(made.getSpec().getStrategy().getRollingUpdate().getMaxSurge().getStrVal())
                .isEqualTo("25%");
        proto.delete(V1Apps.Deployment.newBuilder(), deployments + "/web");
        isStatus(proto.get(V1Apps.Deployment.newBuilder(), deployments + "/web"), 404, "NotFound");
    }

    @Test
    void aListOfManyObjectsIsComplete() throws ApiException, IOException {
        var secrets = NAMESPACE + "secrets";
        for (var i = 0; i < MANY; i++) {
            var secret =
                    V1.Secret.newBuilder()
                            .setMetadata(named("s" + i))
                            .setType("Opaque")
                            .putData("key", ByteString.copyFrom(new byte[2_000]))
                            .build();
            object(proto.create(secret, secrets, "v1", "Secret"));
        }
        var list = object(proto.<V1.SecretList>list(V1.SecretList.newBuilder(), secrets));
        assertThat(list.getItemsList()).hasSize(MANY);
        assertThat(list.getItemsList())
                .allSatisfy(one -> assertThat(one.getDataOrThrow("key").size()).isEqualTo(2_000));
        assertThat(list.getMetadata().getResourceVersion()).isNotEmpty();
    }
}
