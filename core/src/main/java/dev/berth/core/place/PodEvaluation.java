package dev.berth.core.place;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All nodes are asked about one pod in one state. What is the same for all of them is found out
/// once, at the beginning.
///
/// The questions come in the order of Kubernetes. [#ofNode] and [#devices] depend on the node and
/// its pools alone: pods that are alike need not ask again while [PodPlacer#stamp] stays the same.
/// [#ofOthers] depends on the whole cluster.
public final class PodEvaluation {

    /// What came of looking for devices.
    public sealed interface Devices {

        /// Enough devices.
        ///
        /// @param results one for each claim that needs some
        /// @param shares what devices take of the node, for each claim that has some and then for
        ///   each that gets some; empty when that is nothing
        record Found(List<AllocationResult> results, List<NodeAllocatableShare> shares)
                implements Devices {
            public Found {
                results = List.copyOf(results);
                shares = List.copyOf(shares);
            }
        }

        record Refused(Rejection reason) implements Devices {}
    }

    /// What a node says for itself. It stays the same until the node or its pools change, also for
    /// other pods of the same [PlacementCacheKey].
    ///
    /// @param objection of the node itself
    /// @param devices what it has for the pod; empty when there is an objection
    /// @param room the score of what is left there; zero when the node will not do
    public record Statement(
            Node node, Optional<Rejection> objection, Optional<Devices> devices, long room)
            implements NodeScoring.Candidate {

        /// Whether only others, or what devices take of the node, can speak against it.
        public boolean mayFit() {
            return devices.isPresent() && devices.get() instanceof Devices.Found;
        }

        /// Whether looking for devices went wrong.
        public boolean isFault() {
            return devices.isPresent()
                    && devices.get() instanceof Devices.Refused(Rejection.Fault _);
        }
    }

    private final PodPlacer placer;
    private final PlacementRequest question;
    private final ClusterUsage state;
    private final PodVolumes volumes;
    private final TopologySpread spread;
    private final InterPodAffinity company;
    private final NodeResourcesScore room;

    /// Whether the pod asks for resources that may be devices; most do not.
    private final boolean asksForResources;

    /// Whether others have nothing against the pod wherever it is; most have not.
    private final boolean othersAgree;

    PodEvaluation(PodPlacer placer, PlacementRequest question, ClusterUsage state) {
        this.placer = placer;
        this.question = question;
        this.state = state;
        var pod = question.pod();
        var surroundings = placer.surroundings();
        this.asksForResources = !placer.extended().of(pod).isEmpty();
        this.volumes = PodVolumes.of(pod, surroundings.storage(), state.volumes());
        this.spread = TopologySpread.of(pod, state.crowd(), placer.fleet());
        this.company =
                InterPodAffinity.of(
                        AffinityProfile.of(pod),
                        state.crowd(),
                        placer.fleet(),
                        surroundings.namespaces());
        this.room = NodeResourcesScore.of(pod);
        this.othersAgree =
                volumes.isContent()
                        && spread.isContent()
                        && company.isContent()
                        && question.allocated().isEmpty();
    }

    /// What the node means for the pod.
    public NodeFit judge(Node node) {
        return ofNode(node)
                .or(() -> ofOthers(node))
                .<NodeFit>map(reason -> new NodeFit.Unfit(node.name(), reason))
                .orElseGet(() -> verdict(node, devices(node)));
    }

    /// What the node itself has against the pod.
    public Optional<Rejection> ofNode(Node node) {
        return ofNode(node, state.use(node.name()));
    }

    private Optional<Rejection> ofNode(Node node, NodeUsage use) {
        return NodeFilters.objection(question.pod(), room.asked(), placer.extended(), node, use);
    }

    /// What the node says for itself.
    public Statement statement(Node node) {
        var use = state.use(node.name());
        var objection = ofNode(node, use);
        if (objection.isPresent()) {
            return new Statement(node, objection, Optional.empty(), 0);
        }
        var devices = devices(node);
        var score = devices instanceof Devices.Found ? room.score(node, use) : 0;
        return new Statement(node, objection, Optional.of(devices), score);
    }

    /// What others have against the pod's being on the node: volumes, and pods near and far.
    public Optional<Rejection> ofOthers(Node node) {
        if (othersAgree) {
            return Optional.empty();
        }
        return volumes.problem()
                .<Rejection>map(text -> new Rejection.Fault(text, true))
                .or(() -> volumes.objection(node))
                .or(() -> spread.objection(node))
                .or(() -> company.objection(node))
                .or(() -> NodeFilters.claimElsewhere(question.allocated(), node));
    }

    /// All that speaks against the node, whatever devices it has; in the order in which it is
    /// asked.
    public List<Rejection> objections(Node node) {
        var all =
                new ArrayList<Rejection>(
                        NodeFilters.objections(
                                question.pod(),
                                room.asked(),
                                placer.extended(),
                                node,
                                state.use(node.name())));
        volumes.problem().map(text -> new Rejection.Fault(text, true)).ifPresent(all::add);
        if (volumes.problem().isEmpty()) {
            volumes.objection(node).ifPresent(all::add);
        }
        spread.objection(node).ifPresent(all::add);
        all.addAll(company.objections(node));
        NodeFilters.claimElsewhere(question.allocated(), node).ifPresent(all::add);
        return all;
    }

    /// Devices on the node for all claims that have none.
    public Devices devices(Node node) {
        var wanted = wanted(node);
        return wanted.isEmpty()
                ? found(node, wanted, List.of())
                : switch (placer.reply(node, wanted, state).outcome()) {
                    case AllocationOutcome.Allocated(var results, _) ->
                            found(node, wanted, results);
                    case AllocationOutcome.DoesNotFit _ ->
                            new Devices.Refused(new Rejection.NoDevices());
                    case AllocationOutcome.Undecided _ ->
                            new Devices.Refused(new Rejection.Undecided());
                    case AllocationOutcome.Failed failed ->
                            new Devices.Refused(
                                    new Rejection.Fault(failed.message(), !failed.nodeLocal()));
                };
    }

    private Devices found(Node node, List<ResourceClaim> wanted, List<AllocationResult> results) {
        var shares = new ArrayList<NodeAllocatableShare>();
        var claims = claims(wanted);
        for (var i = 0; i < claims.size(); i++) {
            var number = i - question.allocated().size();
            var result =
                    number < 0
                            ? claims.get(i).status().allocation().orElseThrow()
                            : results.get(number);
            switch (NodeAllocatableShare.of(claims.get(i), result, placer.fleet(), node)) {
                case NodeAllocatableShare.Sum.Share(var share) -> shares.add(share);
                case NodeAllocatableShare.Sum.Unknown(var message) -> {
                    return new Devices.Refused(new Rejection.Fault(message, false));
                }
            }
        }
        var takesNothing = shares.stream().allMatch(NodeAllocatableShare::isNone);
        return new Devices.Found(results, takesNothing ? List.of() : shares);
    }

    private List<ResourceClaim> claims(List<ResourceClaim> wanted) {
        var all = new ArrayList<>(question.allocated());
        all.addAll(wanted);
        return all;
    }

    /// What is let pass on the node when devices are looked for, and Kubernetes would give up for.
    public List<String> tolerated(Node node) {
        var wanted = wanted(node);
        return wanted.isEmpty() ? List.of() : placer.reply(node, wanted, state).tolerated();
    }

    private List<ResourceClaim> wanted(Node node) {
        if (!asksForResources) {
            return question.wanted();
        }
        var wanted = new ArrayList<>(question.wanted());
        placer.extended().claim(question.pod(), node).ifPresent(one -> wanted.add(one.claim()));
        return wanted;
    }

    /// Whether the pod fits, which costs less than to say how.
    public boolean fits(Statement statement) {
        return statement.devices.isPresent()
                && statement.devices.get() instanceof Devices.Found found
                && ofOthers(statement.node).isEmpty()
                && (found.shares.isEmpty()
                        || verdict(statement.node, found) instanceof NodeFit.Fits);
    }

    /// The best of several nodes where the pod fits.
    public Optional<Statement> best(List<Statement> fitting) {
        return preference().best(fitting);
    }

    /// The one of several nodes where the pod fits that has the highest score, whatever the policy
    /// prefers.
    public Optional<Statement> highest(List<Statement> fitting) {
        return preference().highest(fitting);
    }

    private NodeScoring<Statement> preference() {
        return placer.preference(question, state, this::given);
    }

    /// What the claims of the pod would get on a node where it fits.
    public List<NodeFit.Given> given(Statement statement) {
        return statement.devices.isPresent()
                        && statement.devices.get() instanceof Devices.Found(var results, _)
                ? given(wanted(statement.node), results)
                : List.of();
    }

    private static List<NodeFit.Given> given(
            List<ResourceClaim> wanted, List<AllocationResult> results) {
        var given = new ArrayList<NodeFit.Given>();
        for (var i = 0; i < wanted.size(); i++) {
            given.add(new NodeFit.Given(wanted.get(i), results.get(i)));
        }
        return given;
    }

    /// Why the pod does not fit; empty when it fits.
    public Optional<Rejection> refusal(Statement statement) {
        if (statement.objection.isPresent()) {
            return statement.objection;
        }
        var ofOthers = ofOthers(statement.node);
        if (ofOthers.isPresent()) {
            return ofOthers;
        }
        return switch (statement.devices.orElseThrow()) {
            case Devices.Refused(var reason) -> Optional.of(reason);
            case Devices.Found found ->
                    verdict(statement.node, found) instanceof NodeFit.Unfit(_, var reason)
                            ? Optional.of(reason)
                            : Optional.empty();
        };
    }

    /// The verdict of a node that has said what it has to say.
    public NodeFit verdict(Statement statement) {
        return statement
                .objection
                .or(() -> ofOthers(statement.node))
                .<NodeFit>map(reason -> new NodeFit.Unfit(statement.node.name(), reason))
                .orElseGet(() -> verdict(statement.node, statement.devices.orElseThrow()));
    }

    /// The verdict of a node that has nothing against the pod but, perhaps, its devices.
    public NodeFit verdict(Node node, Devices devices) {
        return switch (devices) {
            case Devices.Refused(var reason) -> new NodeFit.Unfit(node.name(), reason);
            case Devices.Found(var results, var shares) -> {
                var wanted = wanted(node);
                var taken =
                        shares.isEmpty()
                                ? List.<NodeAllocatableClaimStatus>of()
                                : DeviceResourceUsage.statuses(
                                        question.pod(), claims(wanted), shares);
                var objection = objection(node, shares, taken);
                if (objection.isPresent()) {
                    yield new NodeFit.Unfit(node.name(), objection.get());
                }
                yield new NodeFit.Fits(
                        node.name(), given(wanted, results), volumes.bindings(node), taken);
            }
        };
    }

    /// What speaks against what devices take of the node's own resources.
    private Optional<Rejection> objection(
            Node node, List<NodeAllocatableShare> shares, List<NodeAllocatableClaimStatus> taken) {
        if (taken.isEmpty()) {
            return Optional.empty();
        }
        var pod = question.pod();
        for (var i = 0; i < question.allocated().size(); i++) {
            var claim = question.allocated().get(i);
            if (!shares.get(i).mapping().isEmpty() && isUsedByOther(claim, node)) {
                return Optional.of(new Rejection.MappedClaim(claim.ref()));
            }
        }
        return DeviceResourceUsage.uncovered(pod, taken)
                .or(() ->
                        NodeFilters.insufficient(
                                        PodResourceRequests.of(pod, taken),
                                        placer.extended(),
                                        node,
                                        state.use(node.name()))
                                .stream()
                                .findFirst());
    }

    /// Pods of one group share a reservation, but what stands for a part of the node is one pod's.
    private boolean isUsedByOther(ResourceClaim claim, Node node) {
        var pod = question.pod();
        return (!claim.status().reservedFor().isEmpty() && !claim.isReservedFor(pod))
                || state.hasPod(
                        node.name(),
                        other ->
                                !other.ref().equals(pod.ref())
                                        && other.metadata()
                                                .namespace()
                                                .equals(pod.metadata().namespace())
                                        && other.status().nodeAllocatableClaimStatuses().stream()
                                                .anyMatch(taken ->
                                                        taken.resourceClaimName()
                                                                .equals(claim.metadata().name())));
    }

    /// What would have to be known to judge, and is not.
    public List<String> gaps() {
        return volumes.gaps();
    }
}
