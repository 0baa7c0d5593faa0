package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.place.VolumeBindingTask;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolumeWriterTest {

    private static final JsonObject CLAIM =
            tree(
                    """
                    {apiVersion: v1, kind: PersistentVolumeClaim,
                     metadata: {namespace: ns, name: data, uid: "1", resourceVersion: "7"},
                     spec: {}}
                    """);
    private static final JsonObject VOLUME =
            tree(
                    """
                    {apiVersion: v1, kind: PersistentVolume,
                     metadata: {name: disk, resourceVersion: "5"}, spec: {nfs: {path: /x}}}
                    """);
    private static final ObjectRef DATA = new ObjectRef("ns", "data");

    private static JsonObject tree(String yaml) {
        if (!(YamlReader.read(yaml) instanceof ParseResult.Documents(var documents))) {
            throw new IllegalArgumentException(yaml);
        }
        return (JsonObject) documents.getFirst().root();
    }

    private static PersistentVolumeClaim claim() {
        return new Codec()
                .readTree(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    /// A cluster with one object that another client updates now and then.
    private static final class Contested implements Cluster {

        private final List<JsonObject> written = new ArrayList<>();
        private final JsonObject object;
        private int conflicts;

        private Contested(JsonObject object, int conflicts) {
            this.object = object;
            this.conflicts = conflicts;
        }

        @Override
        public RequestResult send(Request request) {
            if (!(request instanceof Request.Update update)) {
                return new RequestResult.Done(object);
            }
            if (conflicts-- > 0) {
                return new RequestResult.Conflict("it has changed");
            }
            written.add(update.object());
            var metadata = update.object().objectOrEmpty("metadata");
            return new RequestResult.Done(
                    update.object()
                            .with("metadata", metadata.with("resourceVersion", Json.of("9"))));
        }

        @Override
        public <T extends KubernetesObject> Subscription watch(
                Kind<T> kind, String selector, EventHandler<T> handler) {
            return () -> {};
        }

        @Override
        public Subscription watch(
                ResourcePath address, String selector, EventHandler<JsonObject> handler) {
            return () -> {};
        }

        @Override
        public void close() {}
    }

    private static VolumeWriter.Result write(Contested cluster, VolumeBindingTask task) {
        return new VolumeWriter(cluster, TaskRunner.inline()).write(List.of(task));
    }

    @Test
    void aConflictIsRetriedWithTheNewVersion() {
        var cluster = new Contested(CLAIM, 2);
        assertThat(write(cluster, new VolumeBindingTask.Provision(claim(), "n1")))
                .isEqualTo(new VolumeWriter.Result.Written(Map.of(DATA, 9L)));
        assertThat(cluster.written)
                .singleElement()
                .satisfies(object -> {
                    var metadata = object.objectOrEmpty("metadata");
                    assertThat(metadata.text("resourceVersion")).isEqualTo("7");
                    assertThat(
                                    metadata.objectOrEmpty("annotations")
                                            .text("volume.kubernetes.io/selected-node"))
                            .isEqualTo("n1");
                });
    }

    @Test
    void unchangedObjectsAreNotWritten() {
        var metadata = CLAIM.objectOrEmpty("metadata");
        var selected = JsonObject.of("volume.kubernetes.io/selected-node", Json.of("n1"));
        var cluster =
                new Contested(CLAIM.with("metadata", metadata.with("annotations", selected)), 0);
        assertThat(write(cluster, new VolumeBindingTask.Provision(claim(), "n1")))
                .isEqualTo(new VolumeWriter.Result.Written(Map.of(DATA, 7L)));
        assertThat(write(cluster, new VolumeBindingTask.Provision(claim(), "n2")))
                .isEqualTo(
                        new VolumeWriter.Result.Failed(
                                "the volume of persistentvolumeclaim \"data\" is being provisioned"
                                        + " for node n1"));
        assertThat(cluster.written).isEmpty();
    }

    @Test
    void aVolumeIsBoundOnceAndKeepsUnknownFields() {
        var cluster = new Contested(VOLUME, 0);
        var task = new VolumeBindingTask.Bind(claim(), "disk");
        write(cluster, task);
        var given = cluster.written.getFirst().objectOrEmpty("spec");
        assertThat(given.objectOrEmpty("claimRef").text("uid")).isEqualTo("1");
        assertThat(given.objectOrEmpty("nfs").text("path")).isEqualTo("/x");

        var other =
                given.with("claimRef", given.objectOrEmpty("claimRef").with("uid", Json.of("2")));
        assertThat(write(new Contested(VOLUME.with("spec", other), 0), task))
                .isEqualTo(
                        new VolumeWriter.Result.Failed(
                                "persistentvolume \"disk\" was bound to claim ns/data in the"
                                        + " meantime"));
    }
}
