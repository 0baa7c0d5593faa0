package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.text.ExplanationText;
import dev.berth.core.explain.text.PendingMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Golden tests of typical mistakes: the message of the pod's condition and event, and the
/// explanation. `-Dgolden=update` rewrites the texts.
class PendingPodGoldenTest {

    private static final Path FOLDER = Path.of("src/test/resources/golden/pending");
    private static final int FIRST_CHARACTERS = 120;

    static List<PendingPodCase> cases() throws IOException {
        return PendingPodCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void conditionAndExplanationEqualGoldenFile(PendingPodCase one) throws IOException {
        var text =
                "# Condition and event\n%s\n\n# Explanation\n%s"
                        .formatted(one.condition(), ExplanationText.of(one.explanation()));
        var golden = FOLDER.resolve(one.name().replace(' ', '-').replace(":", "") + ".txt");
        if ("update".equals(System.getProperty("golden"))) {
            Files.writeString(golden, text);
        }
        assertThat(text).isEqualTo(Files.readString(golden));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void objectAndFieldAreNamedFirst(PendingPodCase one) {
        var prefix = "nodes are available: ";
        var condition = one.condition();
        var start = condition.startsWith("0/") ? condition.indexOf(prefix) + prefix.length() : 0;
        var first =
                condition.substring(start, Math.min(condition.length(), start + FIRST_CHARACTERS));
        assertThat(one.names()).isNotEmpty().allSatisfy(name -> assertThat(first).contains(name));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void conditionIsBoundedAndPointsToExplain(PendingPodCase one) {
        assertThat(one.condition().getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(PendingMessage.MAX_BYTES);
        assertThat(one.condition()).endsWith("berth explain pod/pod -n default");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void explanationNeverSaysThatAWaitingPodFits(PendingPodCase one) {
        assertThat(one.explanation()).isNotInstanceOf(Explanation.Fits.class);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everySuggestionMakesThePodFitAndChangesNoClass(PendingPodCase one) {
        if (!(one.explanation() instanceof Explanation.Misfit misfit)) {
            return;
        }
        var explainer = new Explainer(new Allocator(Allocator.DEFAULT_BUDGET));
        var inputs = one.inputs();
        for (var verified : misfit.suggestions()) {
            var changed = SuggestionApplier.apply(verified.suggestion(), inputs);
            assertThat(explainer.explain(changed))
                    .as("%s", verified)
                    .isInstanceOf(Explanation.Fits.class);
            assertThat(changed.classes()).isEqualTo(inputs.classes());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void conditionDoesNotGrowWithTheCluster(PendingPodCase one) {
        var condition = one.grown(40).condition();
        assertThat(condition.getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(PendingMessage.MAX_BYTES);
        assertThat(condition).endsWith("berth explain pod/pod -n default");
    }

    @Test
    void identicalNodesHaveIdenticalFindings() throws IOException {
        var constraint =
                cases().stream()
                        .filter(one -> one.name().startsWith("30 "))
                        .findFirst()
                        .orElseThrow();
        assertThat(ExplanationText.of(constraint.grown(60).explanation()))
                .contains("62 nodes: h100-0, h100-1, more-0, more-1 and 58 more\n");
    }

    @Test
    void fileNamesAreUnique() throws IOException {
        assertThat(cases().stream().map(PendingPodCase::name)).doesNotHaveDuplicates();
    }
}
