package dev.berth.core.explain.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The message of the condition of a pending pod.
class PendingMessageTest {

    private static final ObjectRef POD = new ObjectRef("ml", "train");
    private static final String HINT = "Details: berth explain pod/train -n ml";

    @Test
    void theMostUsefulSentenceFollowsThePrefix() {
        assertThat(
                        PendingMessage.of(
                                POD,
                                "0/3 nodes are available: 3 Insufficient cpu.",
                                List.of("change this", "and that?")))
                .isEqualTo(
                        "0/3 nodes are available: change this. 3 Insufficient cpu. and that? "
                                + HINT);
    }

    @Test
    void aMessageWithoutNodesBeginsWithTheMostUsefulSentence() {
        assertThat(PendingMessage.of(POD, "claim is missing", List.of("create it")))
                .isEqualTo("create it. claim is missing. " + HINT);
    }

    @Test
    void aSentenceIsNotRepeated() {
        assertThat(
                        PendingMessage.of(
                                POD, "0/1 nodes are available: no disk.", List.of("Pod: no disk")))
                .isEqualTo("0/1 nodes are available: Pod: no disk. " + HINT);
    }

    @Test
    void sentencesThatDoNotFitAreLeftOut() {
        var message =
                PendingMessage.of(
                        POD,
                        "0/5000 nodes are available: "
                                + String.join(", ", Collections.nCopies(900, "1 reason"))
                                + ".",
                        Collections.nCopies(1, "first").stream()
                                .map(one -> one + " ünïcödé".repeat(90))
                                .toList());
        assertThat(message.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1_024);
        assertThat(message).startsWith("0/5000 nodes are available: first ").endsWith(HINT);
    }
}
