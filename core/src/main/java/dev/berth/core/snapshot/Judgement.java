package dev.berth.core.snapshot;

import dev.berth.core.persistent.Sorted;
import dev.berth.core.place.Hearing;
import dev.berth.core.place.Question;
import dev.berth.core.place.Reason;
import dev.berth.core.place.Verdict;
import dev.berth.model.api.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What every node of a snapshot means for a pod, by name of the node.
///
/// Share ids in verdicts may be those of an earlier pod; [Judge#choose] makes new ones.
public final class Judgement {

    /// What a node says for itself: it stays the same until the node or its pools change.
    ///
    /// @param objection of the node itself
    /// @param devices what it has for the pod; empty when there is an objection
    record Answer(Node node, Optional<Reason> objection, Optional<Hearing.Devices> devices) {

        boolean isFault() {
            return devices.isPresent()
                    && devices.get() instanceof Hearing.Devices.Refused(Reason.Fault _);
        }
    }

    private final Question question;
    private final Snapshot snapshot;
    private final Hearing hearing;
    private final Sorted<String, Answer> answers;
    private final boolean hasFaults;

    /// @param hasFaults false when surely none of the answers is a fault
    Judgement(
            Question question,
            Snapshot snapshot,
            Hearing hearing,
            Sorted<String, Answer> answers,
            boolean hasFaults) {
        this.question = question;
        this.snapshot = snapshot;
        this.hearing = hearing;
        this.answers = answers;
        this.hasFaults = hasFaults;
    }

    public Question question() {
        return question;
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    Sorted<String, Answer> answers() {
        return answers;
    }

    boolean hasFaults() {
        return hasFaults;
    }

    /// The verdict of one node.
    public Optional<Verdict> verdict(String node) {
        return answers.find(node).map(this::verdict);
    }

    private Verdict verdict(Answer answer) {
        return answer.objection
                .or(() -> hearing.ofOthers(answer.node))
                .<Verdict>map(reason -> new Verdict.Unfit(answer.node.name(), reason))
                .orElseGet(() -> hearing.verdict(answer.node, answer.devices.orElseThrow()));
    }

    /// All verdicts, by name of the node.
    public List<Verdict> verdicts() {
        var verdicts = new ArrayList<Verdict>(answers.size());
        answers.forEach((_, answer) -> verdicts.add(verdict(answer)));
        return verdicts;
    }

    /// How many nodes there are.
    public int size() {
        return answers.size();
    }

    /// Visits verdicts in turn, from the node at a place on and round to the one before it, until
    /// the visitor has enough; the rest is not made.
    ///
    /// @param visit false when it has enough
    /// @return how many were visited
    public int round(int start, Predicate<Verdict> visit) {
        return answers.round(start, answer -> visit.test(verdict(answer)));
    }

    /// Those where the pod can run.
    public List<Verdict.Fits> fitting() {
        var fitting = new ArrayList<Verdict.Fits>();
        answers.forEach((_, answer) -> {
            if (answer.devices.isPresent()
                    && answer.devices.get() instanceof Hearing.Devices.Found
                    && verdict(answer) instanceof Verdict.Fits fits) {
                fitting.add(fits);
            }
        });
        return fitting;
    }
}
