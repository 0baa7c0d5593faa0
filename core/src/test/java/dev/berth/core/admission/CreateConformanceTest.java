package dev.berth.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Compares created objects and errors with those of a Kubernetes API server.
class CreateConformanceTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    /// Fields that only the store sets or removes.
    private static final Set<String> STORE_FIELDS =
            Set.of("uid", "creationTimestamp", "managedFields", "resourceVersion");

    @TestFactory
    Stream<DynamicTest> answersAsTheServerDoes() {
        return RecordedResults.of("http-create.jsonl").stream()
                // Other kinds are rejected by admission plug-ins that depend on other objects.
                .filter(line ->
                        Set.of(201L, 422L).contains(line.number("httpStatus").orElseThrow()))
                .map(line -> DynamicTest.dynamicTest(line.text("name"), () -> compare(line)));
    }

    private static void compare(JsonObject line) {
        var gates = line.text("gates").equals("all") ? FeatureGates.all() : FeatureGates.defaults();
        var object = line.objectOrEmpty("object");
        var kind = AdmissionKind.named(object.text("kind")).orElseThrow();
        if (kind.namespaced()) {
            var metadata = object.objectOrEmpty("metadata");
            object = object.with("metadata", metadata.with("namespace", Json.of("ns")));
        }
        var admitted = new Admission(gates).create(kind, object, NOW);
        var problems = new ArrayList<>(admitted.problems());
        problems.addAll(
                AdminAccess.onCreate(
                        kind, object, () -> new AdminAccess.Namespace.Found(Map.of())));
        var found = new TreeSet<String>();
        problems.forEach(p -> found.add(cause(p.type().reason(), p.path() + "", p.message())));
        assertThat(found).isEqualTo(causes(line));
        if (line.has("stored")) {
            assertThat(comparable(admitted.object()))
                    .isEqualTo(comparable(line.objectOrEmpty("stored")));
        }
    }

    private static Set<String> causes(JsonObject line) {
        var causes = new TreeSet<String>();
        for (var cause : line.objects("causes")) {
            causes.add(cause(cause.text("reason"), cause.text("field"), cause.text("message")));
        }
        return causes;
    }

    /// Kubernetes prints objects in the order of its struct fields, which differs.
    private static String cause(String reason, String field, String message) {
        return reason + " " + field + ": " + message.replaceFirst("value: \\{.*", "value: {…}");
    }

    private static JsonObject comparable(JsonObject object) {
        var metadata =
                TreeEdits.without(object.objectOrEmpty("metadata"), STORE_FIELDS.stream().toList());
        var result = object.with("metadata", metadata.without("namespace"));
        result = TreeEdits.at(result, CreateConformanceTest::untimed, "spec", "taint");
        return TreeEdits.at(
                result,
                spec ->
                        TreeEdits.each(
                                spec,
                                "devices",
                                device ->
                                        TreeEdits.each(
                                                device, "taints", CreateConformanceTest::untimed)),
                "spec");
    }

    /// Timestamps differ.
    private static JsonObject untimed(JsonObject taint) {
        return taint.has("timeAdded") ? taint.with("timeAdded", Json.of("some time")) : taint;
    }
}
