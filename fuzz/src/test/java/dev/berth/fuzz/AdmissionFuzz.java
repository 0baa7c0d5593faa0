package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlReader;
import dev.berth.schema.check.ObjectCheck;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Any schema-valid object is admitted, or rejected with messages, on creation and on update.
public final class AdmissionFuzz {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final ObjectCheck CHECK = new ObjectCheck(new Codec());
    private static final List<Admission> ADMISSIONS =
            List.of(
                    new Admission(FeatureGates.defaults()),
                    new Admission(FeatureGates.all()),
                    new Admission(FeatureGates.exactly(List.of())));

    private AdmissionFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        for (var tree : Trees.of(YamlReader.read(text))) {
            if (tree instanceof JsonObject object) {
                admit(object);
            }
        }
    }

    private static void admit(JsonObject sent) {
        var kind = Kinds.byApiVersionAndKind(sent.text("apiVersion"), sent.text("kind"));
        var admitted = AdmissionKind.named(sent.text("kind"));
        if (kind.isEmpty() || admitted.isEmpty()) {
            return;
        }
        var apiVersion = sent.text("apiVersion");
        var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        var checked = CHECK.check(kind.get(), version, sent);
        if (!checked.isUsable()) {
            return;
        }
        var again = CHECK.check(kind.get(), kind.get().version(), checked.object());
        assertThat(again.object()).isEqualTo(checked.object());
        for (var admission : ADMISSIONS) {
            admit(admission, admitted.get(), kind.get().hasStatus(), checked.object());
        }
    }

    private static void admit(
            Admission admission, AdmissionKind kind, boolean hasStatus, JsonObject object) {
        var created = admission.create(kind, object, NOW);
        hasMessages(created);
        hasMessages(admission.update(kind, created.object(), object, NOW));
        if (hasStatus) {
            hasMessages(admission.updateStatus(kind, created.object(), object, NOW));
        }
    }

    private static void hasMessages(Admission.Admitted admitted) {
        for (var problem : admitted.problems()) {
            assertThat(problem.message()).isNotEmpty();
        }
    }
}
