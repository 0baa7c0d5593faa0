package dev.berth.core.explain;

import dev.berth.core.explain.finding.ChangeTargets;
import dev.berth.core.explain.finding.ObjectField;
import dev.berth.core.explain.finding.RejectionFindings;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.filter.NodeResourcesFitFilter;
import dev.berth.model.api.meta.ObjectRef;
import java.util.List;

/// Names the field that a suggestion changes, and who can change it.
final class SuggestionTargets {

    private final ChangeTargets targets;
    private final RejectionFindings rejections;

    SuggestionTargets(ExplainInputs inputs) {
        this.targets = new ChangeTargets(inputs);
        this.rejections = new RejectionFindings(inputs);
    }

    Suggestion.Verified verified(Suggestion suggestion, String node) {
        var changed = targets(suggestion);
        var owner =
                switch (suggestion) {
                    case Suggestion.Release _ -> SuggestionOwner.OTHERS;
                    case Suggestion.ShortenPool _, Suggestion.DeleteTaintRule _ ->
                            SuggestionOwner.ADMINISTRATOR;
                    case Suggestion.AllowNode(_, var reasons) ->
                            changed.stream().allMatch(SuggestionTargets::isOfUser)
                                            && reasons.stream().noneMatch(SuggestionTargets::isFull)
                                    ? SuggestionOwner.USER
                                    : SuggestionOwner.ADMINISTRATOR;
                    default -> SuggestionOwner.USER;
                };
        return new Suggestion.Verified(suggestion, node, owner, changed);
    }

    /// True when nothing of a resource is left, so that a smaller request does not help.
    private static boolean isFull(Rejection reason) {
        return reason instanceof NodeResourcesFitFilter.Insufficient insufficient
                && insufficient.left().signum() <= 0;
    }

    private static boolean isOfUser(ObjectField field) {
        return switch (field.kind()) {
            case "Pod", "ResourceClaim", "ResourceClaimTemplate", "PersistentVolumeClaim" -> true;
            default -> false;
        };
    }

    private List<ObjectField> targets(Suggestion suggestion) {
        return switch (suggestion) {
            case Suggestion.Release(var claims) ->
                    claims.stream()
                            .map(claim ->
                                    ObjectField.of("ResourceClaim", claim, "status.allocation"))
                            .toList();
            case Suggestion.Tolerate(var claim, var request, _) ->
                    List.of(targets.request(claim, request, "tolerations"));
            case Suggestion.LowerCount(var claim, var request, _, _) ->
                    List.of(targets.request(claim, request, "count"));
            case Suggestion.LowerCapacity(var claim, var request, var name, _, _) ->
                    List.of(
                            targets.request(
                                    claim, request, "capacity.requests[%s]".formatted(name)));
            case Suggestion.EditSelector edit -> List.of(targets.selector(edit.at()));
            case Suggestion.RenameInConstraint(var claim, var number, _, _) ->
                    List.of(targets.constraint(claim, number));
            case Suggestion.DropConstraint(var claim, var number, _) ->
                    List.of(targets.constraint(claim, number));
            case Suggestion.UseClass(var claim, var request, _, _) ->
                    List.of(targets.request(claim, request, "deviceClassName"));
            case Suggestion.AllowNode(var node, var reasons) -> rejections.targets(node, reasons);
            case Suggestion.ShortenPool(var pool, _, _) ->
                    List.of(
                            new ObjectField(
                                    "ResourceSlice",
                                    new ObjectRef("", "of pool " + pool),
                                    "spec.pool.resourceSliceCount",
                                    "spec.pool.resourceSliceCount"));
            case Suggestion.DeleteTaintRule(var rule, _) ->
                    List.of(ObjectField.of("DeviceTaintRule", new ObjectRef("", rule), "spec"));
        };
    }
}
