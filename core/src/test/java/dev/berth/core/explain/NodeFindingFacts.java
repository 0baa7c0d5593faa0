package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.explain.SmallCluster.TestNode;
import dev.berth.core.explain.finding.Finding;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Checks the numbers and names in the sentences of findings about nodes against a random cluster.
final class NodeFindingFacts {

    private final SmallCluster cluster;
    private final String seed;
    private int checked;

    NodeFindingFacts(SmallCluster cluster, long seed) {
        this.cluster = cluster;
        this.seed = "seed " + seed;
    }

    /// The number of facts that were checked in a sentence.
    int check(Finding finding) {
        checked = 0;
        var text = finding.sentence();
        each("node (n\\d) has taint", text, this::isTainted);
        each(
                "(\\d+) nodes have taint",
                text,
                (match, what) -> count(match, TestNode::tainted, what));
        each("the node is cordoned; kubectl uncordon (n\\d)", text, this::isCordoned);
        each("the node and (\\d+) others? are cordoned", text, this::areCordoned);
        each(
                "resources.requests\\[cpu\\]: (\\d+) requested, no node has more than (\\d+)",
                text,
                this::cpu);
        each("resources.requests\\[cpu\\]: (\\d+) requested", text, this::requested);
        each("no node has label (\\S+?)=(\\S+?)(?=;|$)", text, this::noLabel);
        each(
                "node (n\\d)(?: and (\\d+) others?)? without label (\\S+?)=(\\S+?)(?=;|$)",
                text,
                this::without);
        each("nodes have zone=([\\w, ]+)", text, this::zones);
        return checked;
    }

    private void each(String pattern, String text, BiConsumer<MatchResult, String> check) {
        Pattern.compile(pattern)
                .matcher(text)
                .results()
                .forEach(match -> {
                    checked++;
                    check.accept(match, seed + ": " + text);
                });
    }

    private void count(MatchResult match, Predicate<TestNode> condition, String what) {
        assertThat(cluster.testNodes().stream().filter(condition))
                .as(what)
                .hasSize(Integer.parseInt(match.group(1)));
    }

    private void isTainted(MatchResult match, String what) {
        assertThat(cluster.testNode(match.group(1)).tainted()).as(what).isTrue();
        assertThat(cluster.testNodes().stream().filter(TestNode::tainted)).as(what).hasSize(1);
    }

    private void isCordoned(MatchResult match, String what) {
        assertThat(cluster.testNode(match.group(1)).unschedulable()).as(what).isTrue();
        assertThat(cluster.testNodes().stream().filter(TestNode::unschedulable))
                .as(what)
                .hasSize(1);
    }

    private void areCordoned(MatchResult match, String what) {
        assertThat(cluster.testNodes().stream().filter(TestNode::unschedulable))
                .as(what)
                .hasSize(1 + Integer.parseInt(match.group(1)));
    }

    private void cpu(MatchResult match, String what) {
        assertThat(cluster.testNodes())
                .as(what)
                .allMatch(node -> node.cpu() <= Integer.parseInt(match.group(2)));
    }

    private void requested(MatchResult match, String what) {
        assertThat(cluster.pending().cpu()).as(what).isEqualTo(Integer.parseInt(match.group(1)));
    }

    private void noLabel(MatchResult match, String what) {
        assertThat(cluster.testNodes())
                .as(what)
                .noneMatch(node ->
                        node.label(match.group(1)).filter(match.group(2)::equals).isPresent());
    }

    private void without(MatchResult match, String what) {
        Predicate<TestNode> lacks =
                node -> node.label(match.group(3)).filter(match.group(4)::equals).isEmpty();
        assertThat(lacks.test(cluster.testNode(match.group(1)))).as(what).isTrue();
        var others = match.group(2) == null ? 0 : Integer.parseInt(match.group(2));
        assertThat(cluster.testNodes().stream().filter(lacks)).as(what).hasSize(1 + others);
    }

    private void zones(MatchResult match, String what) {
        for (var zone : List.of(match.group(1).split(", "))) {
            assertThat(cluster.testNodes()).as(what).anyMatch(node -> node.zone().equals(zone));
        }
    }
}
