package dev.berth.core.explain.text;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.text.Utf8Text;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Composes the message of the `PodScheduled` condition and of the `FailedScheduling` event of a
/// pending pod.
///
/// After the prefix of kube-scheduler, `0/3 nodes are available: `, the most useful sentence comes
/// first; then the counts of kube-scheduler and further sentences while there is space, and a hint
/// to `berth explain`. The length is bounded at any cluster size.
public final class PendingMessage {

    /// The maximum length of an event message in Kubernetes.
    public static final int MAX_BYTES = 1_024;

    private static final Pattern PREFIX =
            Pattern.compile("^(0/\\d+ nodes are available: )(.*)$", Pattern.DOTALL);

    private static final int MAX_SENTENCE_BYTES = 420;
    private static final int MAX_COUNTS_BYTES = 260;

    private PendingMessage() {}

    /// The message of the condition and of the event of a pending pod.
    ///
    /// @param scheduler the message of the scheduler in the format of kube-scheduler
    /// @param sentences the most useful first, without a full stop
    public static String of(ObjectRef pod, String scheduler, List<String> sentences) {
        var matcher = PREFIX.matcher(scheduler);
        var prefix = matcher.matches() ? matcher.group(1) : "";
        var counts = matcher.matches() ? matcher.group(2) : scheduler;
        var hint = "Details: berth explain pod/%s -n %s".formatted(pod.name(), pod.namespace());
        var parts = new ArrayList<String>();
        sentences.stream().limit(1).forEach(one -> parts.add(sentence(one)));
        if (!counts.isBlank()) {
            parts.add(sentence(bounded(counts)));
        }
        sentences.stream().skip(1).forEach(one -> parts.add(sentence(one)));
        var text = new StringBuilder(prefix);
        var space = MAX_BYTES - Utf8Text.bytes(prefix) - Utf8Text.bytes(hint);
        for (var part : parts) {
            var words = part + " ";
            if (text.indexOf(part) < 0 && Utf8Text.bytes(words) <= space) {
                text.append(words);
                space -= Utf8Text.bytes(words);
            }
        }
        return text.append(hint).toString();
    }

    private static String sentence(String text) {
        var words = Utf8Text.cut(text.strip(), MAX_SENTENCE_BYTES);
        return words.endsWith(".") || words.endsWith("?") || words.endsWith("…")
                ? words
                : words + ".";
    }

    /// The counts of kube-scheduler; the last ones are left out when there are too many.
    private static String bounded(String counts) {
        if (Utf8Text.bytes(counts) <= MAX_COUNTS_BYTES) {
            return counts;
        }
        var head = Utf8Text.cut(counts, MAX_COUNTS_BYTES);
        var comma = head.lastIndexOf(", ");
        return comma > 0 ? head.substring(0, comma) + ", and more" : head;
    }
}
