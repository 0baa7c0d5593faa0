package dev.berth.dashboard.fleet;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.selector.SelectorChain;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.ExpressionPosition;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the devices of the fleet that match a CEL expression, as a selector of a claim would.
public final class FleetFilter {

    private static final int MAX_LENGTH = 4_096;

    private final FleetModel fleet;
    private final Allocator allocator;
    private final CelCompiler compiler =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));

    public FleetFilter(FleetModel fleet, Allocator allocator) {
        this.fleet = fleet;
        this.allocator = allocator;
    }

    /// Positions of matching devices by row, as pairs of the first position and a count.
    public JsonObject matches(String expression) throws DashboardError {
        check(expression);
        var selectors = List.<DeviceSelector>of(new DeviceSelector.Cel(expression));
        var chain = allocator.selectors().of("", List.of(), selectors);
        var result = new Result(chain);
        var nodes = result.rows(fleet.rows(false));
        var pools = result.rows(fleet.rows(true));
        var tree =
                JsonObject.of("nodes", Json.array(nodes))
                        .with("pools", Json.array(pools))
                        .with("devices", Json.of(result.devices))
                        .with("errors", Json.of(result.errors));
        return result.firstError
                .map(text -> tree.with("firstError", Json.of(text)))
                .orElse(tree);
    }

    private void check(String expression) throws DashboardError {
        if (expression.length() > MAX_LENGTH) {
            throw new DashboardError(
                    413,
                    "TooLarge",
                    "the expression has more than %d characters".formatted(MAX_LENGTH),
                    "");
        }
        if (compiler.compileSelector(expression)
                instanceof Compilation.Rejected(_, var detail, var position)) {
            var error = new DashboardError(422, "InvalidExpression", detail, "");
            throw position.isPresent()
                    ? error.with("position", json(expression, position.get()))
                    : error;
        }
    }

    private static JsonObject json(String expression, ExpressionPosition position) {
        var offset = 0;
        for (var line = 1; line < position.line(); line++) {
            offset = expression.indexOf('\n', offset) + 1;
        }
        return JsonObject.of("offset", Json.of((long) offset + position.column() - 1))
                .with("line", Json.of(position.line()))
                .with("column", Json.of(position.column()));
    }

    /// The devices that matched so far.
    private static final class Result {

        private final SelectorChain chain;
        private int devices;
        private int errors;
        private Optional<String> firstError = Optional.empty();

        Result(SelectorChain chain) {
            this.chain = chain;
        }

        List<Json> rows(List<FleetRow> rows) {
            var matching = new ArrayList<Json>();
            for (var row : rows) {
                var runs = runs(row);
                if (!runs.isEmpty()) {
                    matching.add(Json.array(Json.of(row.id()), Json.array(runs)));
                }
            }
            return matching;
        }

        private List<Json> runs(FleetRow row) {
            var runs = new ArrayList<Json>();
            var position = 0;
            var first = -1;
            for (var section : row.sections()) {
                for (var device : section.rows()) {
                    var isMatch = matches(section, device);
                    if (isMatch && first < 0) {
                        first = position;
                    } else if (!isMatch && first >= 0) {
                        add(runs, first, position);
                        first = -1;
                    }
                    position++;
                }
            }
            if (first >= 0) {
                add(runs, first, position);
            }
            return runs;
        }

        private static void add(List<Json> runs, int first, int end) {
            runs.add(Json.of(first));
            runs.add(Json.of((long) end - first));
        }

        private boolean matches(DeviceSection section, int device) {
            var slice = section.pool().slice(device);
            var match = chain.match(slice);
            var row = section.pool().rowInSlice(device);
            var fault = match.fault(row);
            if (fault.isPresent()) {
                errors++;
                firstError = firstError.or(() -> Optional.of(fault.get().message()));
                return false;
            }
            devices += match.matches(row) ? 1 : 0;
            return match.matches(row);
        }
    }
}
