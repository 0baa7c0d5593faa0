package dev.berth.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.ResourceV1Api;
import io.kubernetes.client.openapi.apis.ResourceV1beta1Api;
import io.kubernetes.client.openapi.models.ResourceV1ResourceClaim;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1DeviceClaim;
import io.kubernetes.client.openapi.models.V1DeviceClass;
import io.kubernetes.client.openapi.models.V1DeviceClassSpec;
import io.kubernetes.client.openapi.models.V1DeviceRequest;
import io.kubernetes.client.openapi.models.V1ExactDeviceRequest;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceClaimSpec;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.IOException;
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

/// Typical uses of the official Kubernetes client for Java.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OfficialClientTest {

    private static final int PATIENCE_SECONDS = 20;

    private ApiServer server;
    private ApiClient client;
    private CoreV1Api core;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        server = ApiServer.start(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
        client = Config.fromConfig(server.kubeconfig().toString());
        core = new CoreV1Api(client);
    }

    @AfterAll
    void stop() {
        client.getHttpClient().dispatcher().executorService().shutdownNow();
        client.getHttpClient().connectionPool().evictAll();
        server.close();
    }

    private static V1ConfigMap map(String name) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().name(name))
                .data(Map.of("color", "red"));
    }

    @Test
    void objectsAreMadeListedReplacedAndDeleted() throws ApiException {
        var made = core.createNamespacedConfigMap("default", map("plain")).execute();
        assertThat(made.getMetadata().getUid()).isNotEmpty();
        assertThat(made.getMetadata().getCreationTimestamp()).isNotNull();
        assertThat(core.listNamespacedConfigMap("default").limit(1).execute().getItems())
                .hasSize(1);
        var replaced =
                core.replaceNamespacedConfigMap(
                                "plain", "default", made.data(Map.of("color", "blue")))
                        .execute();
        assertThat(replaced.getData()).containsEntry("color", "blue");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(
                        () -> core.replaceNamespacedConfigMap("plain", "default", made).execute())
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(409));
        assertThat(core.deleteNamespacedConfigMap("plain", "default").execute().getStatus())
                .isEqualTo("Success");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> core.readNamespacedConfigMap("plain", "default").execute())
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(404));
    }

    @Test
    void patchesOfAllTypes() throws ApiException {
        core.createNamespacedConfigMap("default", map("patched")).execute();
        assertThat(patched(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"a\":\"1\"}}"))
                .containsEntry("a", "1");
        assertThat(patched(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"a\":null}}"))
                .containsOnlyKeys("color");
        assertThat(
                        patched(
                                V1Patch.PATCH_FORMAT_JSON_PATCH,
                                "[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]"))
                .containsEntry("b", "2");
        assertThat(
                        patched(
                                V1Patch.PATCH_FORMAT_APPLY_YAML,
                                """
                                apiVersion: v1
                                kind: ConfigMap
                                metadata: {name: patched}
                                data: {c: "3"}
                                """))
                .containsEntry("c", "3");
    }

    private Map<String, String> patched(String format, String patch) throws ApiException {
        return PatchUtils.patch(
                        V1ConfigMap.class,
                        () ->
                                core.patchNamespacedConfigMap(
                                                "patched", "default", new V1Patch(patch))
                                        .fieldManager("test")
                                        .buildCall(null),
                        format,
                        client)
                .getData();
    }

    @Test
    void informersSeeWhatHappens() throws ApiException, InterruptedException {
        var seen = new LinkedBlockingQueue<String>();
        var api =
                new GenericKubernetesApi<>(
                        V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
        var factory = new SharedInformerFactory(client);
        var informer = factory.sharedIndexInformerFor(api, V1ConfigMap.class, 0, "kube-public");
        informer.addEventHandler(new Remembering(seen));
        factory.startAllRegisteredInformers();
        try {
            core.createNamespacedConfigMap("kube-public", map("watched")).execute();
            awaited(seen, "added watched");
            core.deleteNamespacedConfigMap("watched", "kube-public").execute();
            awaited(seen, "deleted watched");
        } finally {
            factory.stopAllRegisteredInformers();
        }
    }

    private static void awaited(BlockingQueue<String> seen, String wanted)
            throws InterruptedException {
        var next = "";
        while (!next.equals(wanted) && !next.equals("null")) {
            next = String.valueOf(seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        assertThat(next).isEqualTo(wanted);
    }

    private record Remembering(BlockingQueue<String> seen)
            implements ResourceEventHandler<V1ConfigMap> {

        @Override
        public void onAdd(V1ConfigMap map) {
            seen.add("added " + map.getMetadata().getName());
        }

        @Override
        public void onUpdate(V1ConfigMap old, V1ConfigMap map) {
            seen.add("updated " + map.getMetadata().getName());
        }

        @Override
        public void onDelete(V1ConfigMap map, boolean stateUnknown) {
            seen.add("deleted " + map.getMetadata().getName());
        }
    }

    @Test
    void claimsAreTyped() throws ApiException {
        var devices = new ResourceV1Api(client);
        devices.createDeviceClass(
                        new V1DeviceClass()
                                .metadata(new V1ObjectMeta().name("gpu.example.com"))
                                .spec(new V1DeviceClassSpec()))
                .execute();
        var request =
                new V1DeviceRequest()
                        .name("r")
                        .exactly(new V1ExactDeviceRequest().deviceClassName("gpu.example.com"));
        var claim =
                new ResourceV1ResourceClaim()
                        .metadata(new V1ObjectMeta().name("typed"))
                        .spec(
                                new V1ResourceClaimSpec()
                                        .devices(new V1DeviceClaim().addRequestsItem(request)));
        var made = devices.createNamespacedResourceClaim("default", claim).execute();
        assertThat(made.getSpec().getDevices().getRequests().getFirst().getExactly().getCount())
                .isEqualTo(1);
        var old =
                new ResourceV1beta1Api(client)
                        .readNamespacedResourceClaim("typed", "default")
                        .execute();
        assertThat(old.getSpec().getDevices().getRequests().getFirst().getDeviceClassName())
                .isEqualTo("gpu.example.com");
    }
}
