package dev.berth.core.cel.cost;

import dev.cel.common.ast.CelExpr;
import java.util.List;
import java.util.Optional;

/// Cost estimates of operators and of the functions that CEL itself defines.
final class LanguageCosts {

    /// Cost of reading one character of a string.
    private static final double PER_CHARACTER = 0.1;

    /// Cost of one character of a regular expression, assuming four characters per automaton state.
    private static final double PER_PATTERN_CHARACTER = 0.25;

    /// The estimate of one call.
    ///
    /// @param arguments the arguments, with the receiver of a member call first
    /// @param argumentCosts costs of the arguments, without the receiver
    record Call(CelExpr expr, List<CelExpr> arguments, List<CostRange> argumentCosts) {

        CostRange costs() {
            return argumentCosts.stream().reduce(CostRange.ZERO, CostRange::plus);
        }

        CelExpr argument(int index) {
            return arguments.get(index);
        }
    }

    private final SizeTable sizes;

    LanguageCosts(SizeTable sizes) {
        this.sizes = sizes;
    }

    CallEstimate estimate(String overloadId, Call call) {
        return switch (overloadId) {
            case "logical_or", "logical_and" -> shortCircuit(call);
            case "conditional" -> conditional(call);
            case "equals" -> withArguments(call, equality(call));
            case "not_equals",
                    "less_string",
                    "greater_string",
                    "less_equals_string",
                    "greater_equals_string",
                    "less_bytes",
                    "greater_bytes",
                    "less_equals_bytes",
                    "greater_equals_bytes" ->
                    withArguments(call, comparison(call));
            case "add_string", "add_bytes", "add_list" -> concatenation(overloadId, call);
            case "in_list" -> withArguments(call, size(call, 1).times(1.0));
            case "starts_with_string", "ends_with_string" ->
                    withArguments(call, size(call, 1).times(PER_CHARACTER));
            case "contains_string" ->
                    withArguments(
                            call,
                            size(call, 0)
                                    .times(PER_CHARACTER)
                                    .times(size(call, 1).times(PER_CHARACTER)));
            case "matches_string" -> withArguments(call, matching(call));
            case "string_to_bytes" -> converted(call, 1, 4);
            case "bytes_to_string" -> converted(call, 4, 1);
            default -> withArguments(call, CostRange.ONE);
        };
    }

    private SizeRange size(Call call, int index) {
        return sizes.sizeOrUnbounded(call.argument(index));
    }

    private static CallEstimate withArguments(Call call, CostRange own) {
        return CallEstimate.of(own.plus(call.costs()));
    }

    private static CallEstimate shortCircuit(Call call) {
        var left = call.argumentCosts().get(0);
        var both = left.plus(call.argumentCosts().get(1));
        return CallEstimate.of(new CostRange(left.min(), both.max()));
    }

    private CallEstimate conditional(Call call) {
        var branches = call.argumentCosts().get(1).union(call.argumentCosts().get(2));
        sizes.entrySize(call.expr(), commonEntries(call.argument(1), call.argument(2)));
        return CallEstimate.of(
                call.argumentCosts().get(0).plus(branches), size(call, 1).union(size(call, 2)));
    }

    private Optional<EntrySize> commonEntries(CelExpr first, CelExpr second) {
        return sizes.entrySize(first)
                .flatMap(one -> sizes.entrySize(second).map(two -> one.union(two)));
    }

    /// Equality of Kubernetes' own types costs one step, whatever their size. Upstream omits
    /// inequality; so does this estimate, because it decides what the API accepts.
    private CostRange equality(Call call) {
        var type = sizes.type(call.argument(0));
        if (!type.equals(sizes.type(call.argument(1)))) {
            return comparison(call);
        }
        return switch (type.name()) {
            case "kubernetes.Quantity", "kubernetes.Semver", "net.IP", "net.CIDR" -> CostRange.ONE;
            case "kubernetes.NamedFormat" -> new CostRange(1, 64).times(PER_CHARACTER);
            case "kubernetes.URL" ->
                    new CostRange(1, sizes.size(call.argument(1)).map(SizeRange::max).orElse(1L))
                            .times(PER_CHARACTER);
            default -> comparison(call);
        };
    }

    private CostRange comparison(Call call) {
        var shorter = Math.min(size(call, 0).max(), size(call, 1).max());
        return new CostRange(shorter > 0 ? 1 : 0, shorter).times(PER_CHARACTER);
    }

    private CallEstimate concatenation(String overloadId, Call call) {
        var size = size(call, 0).plus(size(call, 1));
        sizes.entrySize(call.expr(), commonEntries(call.argument(0), call.argument(1)));
        var own = overloadId.equals("add_list") ? CostRange.ONE : size.times(PER_CHARACTER);
        return CallEstimate.of(own.plus(call.costs()), size);
    }

    /// Length plus one, so that an expensive pattern has a cost on an empty string.
    private CostRange matching(Call call) {
        return size(call, 0)
                .plus(SizeRange.exactly(1))
                .times(PER_CHARACTER)
                .times(size(call, 1).times(PER_PATTERN_CHARACTER));
    }

    private CallEstimate converted(Call call, long shrink, long grow) {
        var size = size(call, 0);
        var result =
                new SizeRange(
                        size.min() / shrink,
                        SizeRange.exactly(size.max()).times(new SizeRange(grow, grow)).max());
        return CallEstimate.of(size.times(PER_CHARACTER).plus(call.costs()), result);
    }
}
