package dev.berth.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Typical uses of fabric8's Kubernetes client.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Fabric8Test {

    private static final int PATIENCE_SECONDS = 20;

    private ApiServer server;
    private KubernetesClient client;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        server = ApiServer.start(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
        var config = Config.fromKubeconfig(Files.readString(server.kubeconfig()));
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withData(Map.of("color", "red"))
                .build();
    }

    @Test
    void objectsAreMadeReadChangedAndDeleted() {
        var made = client.resource(map("plain")).create();
        assertThat(made.getMetadata().getUid()).isNotEmpty();
        var maps = client.configMaps().inNamespace("default");
        assertThat(maps.list().getItems())
                .extracting(one -> one.getMetadata().getName())
                .contains("plain");
        var edited =
                maps.withName("plain")
                        .edit(one -> new ConfigMapBuilder(one).addToData("size", "large").build());
        assertThat(edited.getData()).containsEntry("color", "red").containsEntry("size", "large");
        var patched =
                maps.withName("plain")
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"data\":{\"color\":null}}");
        assertThat(patched.getData()).containsOnlyKeys("size");
        assertThat(maps.withName("plain").delete()).hasSize(1);
        assertThat(maps.withName("plain").get()).isNull();
    }

    @Test
    void aStaleUpdateIsAConflict() {
        var stale = client.resource(map("stale")).create();
        client.configMaps()
                .inNamespace("default")
                .withName("stale")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":\"b\"}}");
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> client.resource(stale).update())
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(409));
    }

    @Test
    void serverSideApplyFindsConflicts() {
        client.resource(map("applied")).fieldManager("one").serverSideApply();
        var other = new ConfigMapBuilder(map("applied")).addToData("color", "blue").build();
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> client.resource(other).fieldManager("two").serverSideApply())
                .withMessageContaining("conflict with \"one\": .data.color");
        var forced = client.resource(other).fieldManager("two").forceConflicts().serverSideApply();
        assertThat(forced.getData()).containsEntry("color", "blue");
    }

    @Test
    void informersSeeWhatHappens() throws InterruptedException {
        var seen = new LinkedBlockingQueue<String>();
        try (var informer =
                client.configMaps()
                        .inNamespace("default")
                        .withLabel("watched")
                        .inform(new Remembering(seen))) {
            var watched =
                    new ConfigMapBuilder(map("watched"))
                            .editMetadata()
                            .addToLabels("watched", "yes")
                            .endMetadata()
                            .build();
            client.resource(watched).create();
            assertThat(taken(seen)).isEqualTo("added watched");
            client.configMaps()
                    .inNamespace("default")
                    .withName("watched")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":\"b\"}}");
            assertThat(taken(seen)).isEqualTo("updated watched");
            assertThat(informer.getStore().list()).hasSize(1);
            client.resource(watched).delete();
            assertThat(taken(seen)).isEqualTo("deleted watched");
            assertThat(informer.isWatching()).isTrue();
        }
    }

    private static String taken(BlockingQueue<String> seen) throws InterruptedException {
        return String.valueOf(seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private record Remembering(BlockingQueue<String> seen)
            implements ResourceEventHandler<ConfigMap> {

        @Override
        public void onAdd(ConfigMap map) {
            seen.add("added " + map.getMetadata().getName());
        }

        @Override
        public void onUpdate(ConfigMap old, ConfigMap map) {
            seen.add("updated " + map.getMetadata().getName());
        }

        @Override
        public void onDelete(ConfigMap map, boolean stateUnknown) {
            seen.add("deleted " + map.getMetadata().getName());
        }
    }

    @Test
    void claimsAreTyped() {
        var gpu =
                new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName("gpu.example.com")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build();
        client.resource(gpu).create();
        ResourceClaim claim = client.resource(claim()).create();
        var request = claim.getSpec().getDevices().getRequests().getFirst();
        assertThat(request.getExactly().getDeviceClassName()).isEqualTo("gpu.example.com");
        assertThat(request.getExactly().getCount()).isEqualTo(1);
        var old =
                client.genericKubernetesResources("resource.k8s.io/v1beta1", "ResourceClaim")
                        .inNamespace("default")
                        .withName("typed")
                        .get();
        assertThat(old.getApiVersion()).isEqualTo("resource.k8s.io/v1beta1");
    }

    private static ResourceClaim claim() {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withName("typed")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .addNewRequest()
                .withName("r")
                .withNewExactly()
                .withDeviceClassName("gpu.example.com")
                .endExactly()
                .endRequest()
                .endDevices()
                .endSpec()
                .build();
    }
}
