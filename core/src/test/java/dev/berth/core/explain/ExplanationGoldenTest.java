package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.text.ExplanationJson;
import dev.berth.core.explain.text.ExplanationText;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.snapshot.ClusterContext;
import dev.berth.core.snapshot.ClusterVolumes;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.harness.GoldenFile;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.storage.PersistentVolume;
import dev.berth.model.api.storage.PersistentVolumeClaim;
import dev.berth.model.api.storage.StorageClass;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Golden tests of explanations: a cluster in YAML and the expected text. `-Dgolden=update`
/// rewrites the texts. The pod is always `default/pod`.
class ExplanationGoldenTest {

    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
    private static final Path FOLDER = Path.of("src/test/resources/golden/explain");

    static Stream<String> scenarios() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".yaml"))
                    .map(name -> name.substring(0, name.length() - ".yaml".length()))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void textEqualsGoldenFile(String name) throws IOException {
        var text = ExplanationText.of(explanation(name));
        GoldenFile.check(FOLDER.resolve(name + ".txt"), text);
        assertThat(text.lines()).allMatch(line -> line.equals(line.stripTrailing()));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everySuggestionMakesClaimsFit(String name) throws IOException {
        var inputs = inputs(name);
        var explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));
        if (explainer.explain(inputs) instanceof Explanation.Misfit misfit) {
            for (var verified : misfit.suggestions()) {
                assertThat(
                                explainer.explain(
                                        SuggestionApplier.apply(verified.suggestion(), inputs)))
                        .as("%s", verified)
                        .isInstanceOf(Explanation.Fits.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void jsonIsWellFormedAndHasTheSameSummary(String name) throws IOException {
        var explanation = explanation(name);
        var text = JsonWriter.pretty(ExplanationJson.of(explanation));
        assertThat(JsonReader.read(text)).isInstanceOf(ParseResult.Documents.class);
        assertThat(ExplanationJson.of(explanation).text("summary"))
                .isEqualTo(ExplanationText.of(explanation).lines().findFirst().orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void firstSentenceOfTheConditionIsTheFirstLineOfTheText(String name) throws IOException {
        var explanation = explanation(name);
        var first = ExplanationText.of(explanation).lines().findFirst().orElseThrow();
        var sentences =
                new Explainer(new Allocator(Allocator.DEFAULT_BUDGET))
                        .sentences(new ClusterObjects.Lookup.Found(inputs(name)));
        if (explanation instanceof Explanation.Fits) {
            assertThat(sentences).isEmpty();
        } else {
            assertThat(sentences.getFirst()).isEqualTo(first.substring(first.indexOf(": ") + 2));
        }
    }

    @Test
    void celConditionsAreAbbreviated() {
        assertThat(
                        ExplanationWording.brief(
                                "device.capacity[\"gpu.example.com\"].memory"
                                        + ".compareTo(quantity(\"80Gi\")) >= 0"))
                .isEqualTo("memory >= 80Gi");
        assertThat(
                        ExplanationWording.brief(
                                "device.attributes[\"gpu.example.com\"].model == \"H100\""))
                .isEqualTo("model == \"H100\"");
        assertThat(
                        ExplanationWording.brief(
                                "device.capacity['gpu.example.com'].memory"
                                        + ".compareTo(quantity('80Gi')) >= 0"))
                .isEqualTo("memory >= 80Gi");
    }

    private static Explanation explanation(String name) throws IOException {
        return new Explainer(new Allocator(Allocator.DEFAULT_BUDGET)).explain(inputs(name));
    }

    static ExplainInputs inputs(String name) throws IOException {
        var objects = new ArrayList<KubernetesObject>();
        var reading = YamlReader.read(Files.readString(FOLDER.resolve(name + ".yaml")));
        assertThat(reading).isInstanceOf(ParseResult.Documents.class);
        for (var document : ((ParseResult.Documents) reading).documents()) {
            objects.add(AdmittedObjects.of((JsonObject) document.root()));
        }
        var cluster =
                new ClusterObjects(
                        only(objects, Node.class),
                        only(objects, DeviceClass.class),
                        only(objects, ResourceSlice.class),
                        only(objects, DeviceTaintRule.class),
                        only(objects, ResourceClaim.class),
                        only(objects, ResourceClaimTemplate.class),
                        only(objects, Pod.class),
                        new ClusterContext(
                                ClusterVolumes.of(
                                        only(objects, PersistentVolumeClaim.class),
                                        only(objects, PersistentVolume.class),
                                        only(objects, StorageClass.class),
                                        true),
                                NamespaceLabels.UNLABELLED));
        var found =
                cluster.ofPod(
                        new ExplainOptions(
                                EnumSet.allOf(AllocatorFeature.class),
                                ClaimInspection.DEFAULT_BINDING_TIMEOUT,
                                NOW),
                        new ObjectRef("default", "pod"));
        assertThat(found).isInstanceOf(ClusterObjects.Lookup.Found.class);
        return ((ClusterObjects.Lookup.Found) found).inputs();
    }

    private static <T> List<T> only(List<KubernetesObject> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
