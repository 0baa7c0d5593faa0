package dev.berth.model.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConditionTreesTest {

    private static final Instant THEN = Instant.parse("2026-11-16T15:44:38Z");
    private static final Instant NOW = Instant.parse("2026-11-16T15:45:00.5Z");

    private static final List<JsonObject> READY =
            List.of(
                    ConditionTrees.of("Initialized", false, "", "", THEN),
                    ConditionTrees.of("Ready", true, "", "", THEN));

    @Test
    void aNewConditionChangesNow() {
        assertThat(text(ConditionTrees.of("Ready", true, "Started", "it runs", NOW)))
                .isEqualTo(
                        """
                        {"type":"Ready","status":"True",\
                        "lastTransitionTime":"2026-11-16T15:45:00Z",\
                        "reason":"Started","message":"it runs"}\
                        """);
    }

    @Test
    void emptyTextsAreOmitted() {
        assertThat(text(ConditionTrees.of("Ready", false, "", "", NOW)))
                .isEqualTo(
                        """
                        {"type":"Ready","status":"False",\
                        "lastTransitionTime":"2026-11-16T15:45:00Z"}\
                        """);
    }

    @Test
    void theTimeIsKeptWhileTheStatusIsUnchanged() {
        var updated = ConditionTrees.update(READY, "Ready", "True", "Other", "text", NOW);
        assertThat(updated.text("lastTransitionTime")).isEqualTo("2026-11-16T15:44:38Z");
        assertThat(updated.text("reason")).isEqualTo("Other");
    }

    @Test
    void theTimeChangesWithTheStatus() {
        var updated = ConditionTrees.update(READY, "Ready", "Unknown", "", "", NOW);
        assertThat(updated.text("lastTransitionTime")).isEqualTo("2026-11-16T15:45:00Z");
    }

    @Test
    void conditionsWithoutATimeGetOne() {
        var before = List.of(READY.get(1).without("lastTransitionTime"));
        var updated = ConditionTrees.update(before, "Ready", "True", "", "", NOW);
        assertThat(updated.text("lastTransitionTime")).isEqualTo("2026-11-16T15:45:00Z");
    }

    @Test
    void recordsHaveAReasonAndAMessage() {
        var condition = new Condition("Attached", "True", 0, Optional.of(NOW), "", "");
        assertThat(text(ConditionTrees.of(condition)))
                .isEqualTo(
                        """
                        {"type":"Attached","status":"True",\
                        "lastTransitionTime":"2026-11-16T15:45:00Z","reason":"","message":""}\
                        """);
    }

    @Test
    void recordsKeepTheirGeneration() {
        var condition = new Condition("Attached", "True", 7, Optional.empty(), "A", "b");
        assertThat(text(ConditionTrees.of(condition)))
                .isEqualTo(
                        """
                        {"type":"Attached","status":"True","observedGeneration":7,\
                        "reason":"A","message":"b"}\
                        """);
    }

    @Test
    void conditionsOfOtherTypesFollow() {
        var updated = ConditionTrees.of("Ready", false, "", "", NOW);
        assertThat(ConditionTrees.withOthers(List.of(updated), READY))
                .containsExactly(updated, READY.get(0));
    }

    @Test
    void conditionsAreFoundByType() {
        assertThat(ConditionTrees.find(READY, "Ready")).contains(READY.get(1));
        assertThat(ConditionTrees.find(READY, "Other")).isEmpty();
    }

    private static String text(Json tree) {
        return JsonWriter.compact(tree);
    }
}
