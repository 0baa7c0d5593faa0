package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.ForwardingCluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.Controller;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumesTest {

    private static final ResourcePath VOLUMES = ResourcePath.of(Kinds.PERSISTENT_VOLUME);
    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.PERSISTENT_VOLUME_CLAIM);
    private static final String SELECTED = "volume.kubernetes.io/selected-node";

    @TempDir Path directory = Path.of("");

    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig = new SchedulingRig(directory);
        rig.node("a");
        rig.node("b");
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void storageClass(String name, String provisioner) {
        rig.create(
                """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: %s
                volumeBindingMode: WaitForFirstConsumer
                """
                        .formatted(name, provisioner));
    }

    private void claim(String name, String storageClass) {
        rig.create(
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: %s
                  resources: {requests: {storage: 1Gi}}
                """
                        .formatted(name, storageClass));
    }

    /// Creates an available volume that is accessible from one node.
    private void volume(String name, String storageClass, String node) {
        rig.create(
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: %s
                  local: {path: /data}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - {key: kubernetes.io/hostname, operator: In, values: [%s]}
                """
                        .formatted(name, storageClass, node));
        var available = JsonObject.of("status", JsonObject.of("phase", Json.of("Available")));
        rig.cluster()
                .send(
                        new Request.Patch(
                                VOLUMES, "", name, "status", Request.PatchType.MERGE, available));
    }

    private void pod(String name, String claim) {
        rig.create(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: berth
                  containers: [{name: c, image: i}]
                  volumes: [{name: v, persistentVolumeClaim: {claimName: %s}}]
                """
                        .formatted(name, claim));
    }

    private void update(
            ResourcePath at, String namespace, String name, String sub, JsonObject object) {
        var outcome = rig.cluster().send(new Request.Update(at, namespace, name, sub, object));
        assertThat(outcome).isInstanceOf(RequestResult.Done.class);
    }

    private JsonObject claim(String name) {
        return rig.get(CLAIMS, "default", name);
    }

    /// Completes the binding of a claim, as the volume controller does.
    private void complete(String claim, String volume) {
        var now = claim(claim);
        var bound =
                annotated(now, "pv.kubernetes.io/bind-completed", "yes")
                        .with(
                                "spec",
                                now.objectOrEmpty("spec").with("volumeName", Json.of(volume)));
        update(CLAIMS, "default", claim, "", bound);
    }

    private static JsonObject annotated(JsonObject object, String key, String value) {
        var metadata = object.objectOrEmpty("metadata");
        var annotations = metadata.objectOrEmpty("annotations").with(key, Json.of(value));
        return object.with("metadata", metadata.with("annotations", annotations));
    }

    private String selectedNode(String claim) {
        return claim(claim).objectOrEmpty("metadata").objectOrEmpty("annotations").text(SELECTED);
    }

    private String awaitSelectedNode(String claim) {
        rig.await(() -> !selectedNode(claim).isEmpty(), "no node for claim " + claim);
        return selectedNode(claim);
    }

    private String claimOf(String volume) {
        return rig.get(VOLUMES, "", volume)
                .objectOrEmpty("spec")
                .objectOrEmpty("claimRef")
                .text("name");
    }

    @Test
    void aLocalVolumePinsThePodAndAMissingClaimIsAwaited() {
        storageClass("local", "kubernetes.io/no-provisioner");
        volume("disk", "local", "b");
        rig.schedule();
        pod("p", "data");
        rig.awaitRejection("p");
        assertThat(rig.rejection("p"))
                .isEqualTo(
                        "0/2 nodes are available: Pod p, spec.volumes: persistentvolumeclaim"
                                + " \"data\" not found. Details: berth explain pod/p -n default");

        claim("data", "local");

        rig.await(() -> claimOf("disk").equals("data"), "the volume has no claim");
        assertThat(rig.nodeOf("p")).isEmpty();
        var volume = rig.get(VOLUMES, "", "disk");
        assertThat(volume.objectOrEmpty("spec").objectOrEmpty("claimRef").text("uid"))
                .isEqualTo(claim("data").objectOrEmpty("metadata").text("uid"));
        assertThat(
                        volume.objectOrEmpty("metadata")
                                .objectOrEmpty("annotations")
                                .text("pv.kubernetes.io/bound-by-controller"))
                .isEqualTo("yes");
        complete("data", "disk");
        assertThat(rig.awaitNode("p")).isEqualTo("b");
        // The next one finds the claim bound.
        pod("q", "data");
        assertThat(rig.awaitNode("q")).isEqualTo("b");
    }

    @Test
    void aPodIsBoundOnceItsVolumeIsProvisioned() {
        storageClass("made", "disks.example.com");
        claim("data", "made");
        rig.schedule();
        pod("p", "data");

        var node = awaitSelectedNode("data");
        assertThat(rig.nodeOf("p")).isEmpty();
        volume("disk", "made", node);
        complete("data", "disk");

        assertThat(rig.awaitNode("p")).isEqualTo(node);
    }

    @Test
    void failedProvisioningIsRetried() {
        storageClass("made", "disks.example.com");
        claim("data", "made");
        rig.schedule();
        pod("p", "data");
        awaitSelectedNode("data");

        var now = claim("data");
        var metadata = now.objectOrEmpty("metadata");
        var without = now.with("metadata", metadata.with("annotations", JsonObject.EMPTY));
        update(CLAIMS, "default", "data", "", without);

        rig.await(
                () ->
                        rig.events.stream()
                                .anyMatch(e -> e.contains("selectedNode annotation reset")),
                "no event was recorded");
        var node = awaitSelectedNode("data");
        volume("disk", "made", node);
        complete("data", "disk");
        assertThat(rig.awaitNode("p")).isEqualTo(node);
    }

    @Test
    void aDeletedPodEndsVolumeBinding() {
        storageClass("made", "disks.example.com");
        claim("data", "made");
        var scheduler = rig.schedule();
        pod("p", "data");
        awaitSelectedNode("data");

        rig.delete(ResourcePath.of(Kinds.POD), "default", "p");

        rig.await(() -> scheduler.status().binding() == 0, "the binding was not abandoned");
        assertThat(scheduler.status().bound()).isZero();
    }

    @Test
    void twoPodsNeverGetOneVolume() {
        storageClass("local", "kubernetes.io/no-provisioner");
        volume("disk", "local", "a");
        claim("one", "local");
        claim("two", "local");
        pod("p", "one");
        pod("q", "two");
        rig.schedule();

        rig.awaitRejection("q");
        assertThat(rig.rejection("q"))
                .startsWith("0/2 nodes are available: PersistentVolumeClaim two: no volume matches")
                .contains("2 node(s) didn't find available persistent volumes to bind");
        assertThat(claimOf("disk")).isEqualTo("one");
        complete("one", "disk");
        assertThat(rig.awaitNode("p")).isEqualTo("a");

        volume("more", "local", "b");
        rig.await(() -> claimOf("more").equals("two"), "the volume has no claim");
        complete("two", "more");
        assertThat(rig.awaitNode("q")).isEqualTo("b");
    }

    @Test
    void theVolumeControllerBindsAvailableVolumes() {
        storageClass("local", "kubernetes.io/no-provisioner");
        rig.control(Controller.VOLUMES);
        rig.schedule();
        volume("waiting", "local", "b");
        claim("waits", "local");
        pod("p", "waits");
        assertThat(rig.awaitNode("p")).isEqualTo("b");

        claim("immediate", "''");
        pod("q", "immediate");
        rig.awaitRejection("q");
        assertThat(rig.rejection("q"))
                .isEqualTo(
                        "0/2 nodes are available: PersistentVolumeClaim immediate: pod has unbound"
                                + " immediate PersistentVolumeClaims. Details: berth explain pod/q"
                                + " -n default");
        volume("now", "''", "a");
        assertThat(rig.awaitNode("q")).isEqualTo("a");
        rig.await(() -> phase(VOLUMES, "", "now").equals("Bound"), "the volume is not Bound");
        rig.await(
                () -> phase(CLAIMS, "default", "immediate").equals("Bound"),
                "the claim is not Bound");

        rig.delete(CLAIMS, "default", "immediate");
        rig.await(() -> phase(VOLUMES, "", "now").equals("Released"), "the volume is not Released");
    }

    private String phase(ResourcePath address, String namespace, String name) {
        return rig.get(address, namespace, name).objectOrEmpty("status").text("phase");
    }

    /// A cluster that forbids access to storage and namespaces.
    private static final class StorageForbidden extends ForwardingCluster {

        private static final Set<String> FORBIDDEN =
                Set.of(
                        "namespaces",
                        "persistentvolumes",
                        "persistentvolumeclaims",
                        "storageclasses");

        private StorageForbidden(Cluster cluster) {
            super(cluster);
        }

        @Override
        public <T extends KubernetesObject> Subscription watch(
                Kind<T> kind, String selector, EventHandler<T> handler) {
            return FORBIDDEN.contains(kind.plural())
                    ? forbidden(handler)
                    : super.watch(kind, selector, handler);
        }

        @Override
        public Subscription watch(
                ResourcePath address, String selector, EventHandler<JsonObject> handler) {
            return FORBIDDEN.contains(address.plural())
                    ? forbidden(handler)
                    : super.watch(address, selector, handler);
        }

        private static Subscription forbidden(EventHandler<?> handler) {
            handler.onForbidden("you must not list this");
            return () -> {};
        }
    }

    @Test
    void podsAreScheduledWithoutPermissionToListStorage() {
        claim("data", "unknown");
        rig.schedule(SchedulerOptions.defaults(), new StorageForbidden(rig.connect("berth")));
        pod("p", "data");
        assertThat(rig.awaitNode("p")).isIn("a", "b");
    }
}
