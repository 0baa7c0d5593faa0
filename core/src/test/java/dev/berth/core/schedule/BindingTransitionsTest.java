package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.VolumeBindingTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every pair of stage and event, in two situations of the cluster. A pair that a table does not
/// list changes nothing.
class BindingTransitionsTest {

    /// The watch has shown neither the write of the claim nor that of the volume.
    private static final Map<String, String> BEHIND =
            table(
                    """
                    AwaitingWrite Started -> WritingClaims [WriteClaims]
                    AwaitingWrite OtherWriteEnded -> WritingClaims [WriteClaims]
                    AwaitingWrite PodDeleted -> Undoing [ForgetAssumptions, RollBack]
                    WritingClaims ClaimsWritten -> AwaitingWatch [ResumeWriters]
                    WritingClaims ClaimWriteFailed -> Undoing [ForgetAssumptions, RollBack, \
                    ResumeWriters]
                    WritingClaims PodDeleted -> CancelledWrite []
                    CreatingExtendedClaim ExtendedClaimWritten -> AwaitingWatch []
                    CreatingExtendedClaim ClaimWriteFailed -> Undoing [ForgetAssumptions, RollBack]
                    CreatingExtendedClaim PodDeleted -> CancelledWrite []
                    CancelledWrite ClaimsWritten -> Undoing [ForgetAssumptions, RollBack, \
                    ResumeWriters]
                    CancelledWrite ExtendedClaimWritten -> Undoing [ForgetAssumptions, RollBack]
                    CancelledWrite ClaimWriteFailed -> Undoing [ForgetAssumptions, RollBack, \
                    ResumeWriters]
                    AwaitingWatch ClaimDeleted -> Undoing [ForgetAssumptions, RollBack]
                    AwaitingWatch PodDeleted -> Undoing [ForgetAssumptions, RollBack]
                    AwaitingBindingConditions ClaimDeleted -> Undoing [ForgetAssumptions, RollBack]
                    AwaitingBindingConditions PodDeleted -> Undoing [ForgetAssumptions, RollBack]
                    WritingVolumes ClaimDeleted -> Undoing [ForgetAssumptions, RollBack]
                    WritingVolumes VolumesWritten -> AwaitingVolumes []
                    WritingVolumes VolumeWriteFailed -> Undoing [ForgetAssumptions, RollBack]
                    WritingVolumes PodDeleted -> Undoing [ForgetAssumptions, RollBack]
                    AwaitingVolumes ClaimDeleted -> Undoing [ForgetAssumptions, RollBack]
                    AwaitingVolumes PodDeleted -> Undoing [ForgetAssumptions, RollBack]
                    Binding PodBound -> Bound [ReportBound, RecordEvent]
                    Binding BindFailed -> Undoing [ForgetAssumptions, RollBack]
                    Undoing RolledBack -> Failed [ReportFailure]
                    """);

    /// The watch has shown all writes, all conditions are true, and volumes are bound.
    private static final Map<String, String> READY =
            plus(
                    BEHIND,
                    """
                    WritingClaims ClaimsWritten -> Binding [BindPod, ResumeWriters]
                    AwaitingWatch ClaimSeen -> Binding [BindPod]
                    AwaitingWatch VolumesSeen -> Binding [BindPod]
                    AwaitingBindingConditions ClaimSeen -> Binding [BindPod]
                    AwaitingBindingConditions VolumesSeen -> Binding [BindPod]
                    AwaitingBindingConditions TimePassed -> Binding [BindPod]
                    WritingVolumes VolumesWritten -> Binding [BindPod]
                    AwaitingVolumes ClaimSeen -> Binding [BindPod]
                    AwaitingVolumes VolumesSeen -> Binding [BindPod]
                    AwaitingVolumes TimePassed -> Binding [BindPod]
                    """);

    private static final BindingStage.PendingVolumes VOLUMES =
            new BindingStage.PendingVolumes(
                    List.of(
                            new VolumeBindingTask.Provision(
                                    BindingFixture.volumeClaim("", ""), "n1")),
                    BindingFixture.START);

    private static final List<BindingStage> STAGES =
            List.of(
                    new BindingStage.AwaitingWrite(),
                    new BindingStage.WritingClaims(
                            Set.of(BindingFixture.written().ref()), BindingWrites.NONE),
                    new BindingStage.CreatingExtendedClaim(BindingWrites.NONE),
                    new BindingStage.CancelledWrite(
                            Set.of(BindingFixture.written().ref()), BindingWrites.NONE),
                    new BindingStage.AwaitingWatch(BindingFixture.writes(), BindingFixture.START),
                    new BindingStage.AwaitingBindingConditions(
                            BindingFixture.writes(), BindingFixture.START),
                    new BindingStage.WritingVolumes(
                            BindingFixture.writes(), BindingFixture.START, VOLUMES),
                    new BindingStage.AwaitingVolumes(
                            BindingFixture.writes(), BindingFixture.START, VOLUMES, Map.of()),
                    new BindingStage.Binding(BindingFixture.writes()),
                    new BindingStage.Undoing("message"),
                    new BindingStage.Bound(),
                    new BindingStage.Failed("message"));

    private static final List<BindingEvent> EVENTS =
            List.of(
                    new BindingEvent.Started(),
                    new BindingEvent.OtherWriteEnded(),
                    new BindingEvent.ClaimsWritten(BindingFixture.writes().writes()),
                    new BindingEvent.ExtendedClaimWritten(
                            BindingFixture.claim("extended", 5),
                            BindingFixture.write(BindingFixture.claim("extended", 5))),
                    new BindingEvent.ClaimWriteFailed(List.of(), Optional.empty(), "message"),
                    new BindingEvent.ClaimSeen(),
                    new BindingEvent.ClaimDeleted(BindingFixture.written().ref()),
                    new BindingEvent.VolumesWritten(Map.of()),
                    new BindingEvent.VolumeWriteFailed("message"),
                    new BindingEvent.VolumesSeen(),
                    new BindingEvent.PodDeleted(),
                    new BindingEvent.TimePassed(),
                    new BindingEvent.PodBound(),
                    new BindingEvent.BindFailed("message"),
                    new BindingEvent.RolledBack());

    private static Map<String, String> table(String text) {
        var rows = new LinkedHashMap<String, String>();
        text.lines().map(line -> line.split(" -> ")).forEach(row -> rows.put(row[0], row[1]));
        return rows;
    }

    private static Map<String, String> plus(Map<String, String> rows, String more) {
        var all = new HashMap<>(rows);
        all.putAll(table(more));
        return all;
    }

    private static BindingFixture behind() {
        var fixture = new BindingFixture();
        fixture.watch(BindingFixture.unallocated());
        return fixture;
    }

    private static BindingFixture ready() {
        var fixture = new BindingFixture();
        fixture.watch(BindingFixture.written());
        fixture.watch(BindingFixture.claim("extended", 1));
        // Nothing is left to do for a claim that is bound.
        fixture.volumes = fixture.volumes.with(BindingFixture.boundVolumeClaim());
        fixture.volumes = fixture.volumes.with(BindingFixture.volume());
        fixture.node = Optional.of(BindingFixture.node());
        return fixture;
    }

    static Stream<Arguments> pairs() {
        return STAGES.stream()
                .flatMap(stage -> EVENTS.stream().map(event -> Arguments.of(stage, event)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void beforeTheWatchHasShownTheWrites(BindingStage stage, BindingEvent event) {
        assertThat(outcome(behind(), stage, event))
                .isEqualTo(BEHIND.getOrDefault(name(stage) + " " + name(event), "unchanged"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void whenThePodCanBeBound(BindingStage stage, BindingEvent event) {
        assertThat(outcome(ready(), stage, event))
                .isEqualTo(READY.getOrDefault(name(stage) + " " + name(event), "unchanged"));
    }

    private static String outcome(BindingFixture fixture, BindingStage stage, BindingEvent event) {
        var cycle =
                stage instanceof BindingStage.CreatingExtendedClaim
                        ? BindingFixture.extending(stage)
                        : BindingFixture.allocating(stage);
        var step = fixture.next(cycle, event);
        if (step.stage().equals(stage)) {
            assertThat(step.commands()).isEmpty();
            return "unchanged";
        }
        var commands = step.commands().stream().map(BindingTransitionsTest::name).toList();
        return name(step.stage()) + " " + commands;
    }

    private static String name(Object object) {
        return object.getClass().getSimpleName();
    }

    @Test
    void allStagesAndEventsAreListed() {
        assertThat(types(STAGES)).isEqualTo(permitted(BindingStage.class));
        assertThat(types(EVENTS)).isEqualTo(permitted(BindingEvent.class));
    }

    @Test
    void everyRowIsAPair() {
        var pairs =
                pairs().map(pair -> name(pair.get()[0]) + " " + name(pair.get()[1]))
                        .collect(Collectors.toSet());
        assertThat(pairs).containsAll(READY.keySet());
    }

    private static Set<Class<?>> types(List<?> objects) {
        return objects.stream().map(Object::getClass).collect(Collectors.toSet());
    }

    private static Set<Class<?>> permitted(Class<?> type) {
        var records = new HashSet<Class<?>>();
        for (var one : type.getPermittedSubclasses()) {
            if (one.isSealed()) {
                records.addAll(permitted(one));
            } else {
                records.add(one);
            }
        }
        return records;
    }
}
