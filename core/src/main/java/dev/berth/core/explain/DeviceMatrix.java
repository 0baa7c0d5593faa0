package dev.berth.core.explain;

import dev.berth.core.explain.Obstacle.Occurrence;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All devices of one node with the result of every check, for each request.
public record DeviceMatrix(String node, List<Row> rows) {

    public DeviceMatrix {
        rows = List.copyOf(rows);
    }

    /// A device and a request.
    ///
    /// @param failures checks that the device fails, in order; empty when it can be allocated
    public record Row(ObjectRef claim, String request, DeviceId device, List<Failure> failures) {
        public Row {
            failures = List.copyOf(failures);
        }
    }

    /// A check that a device fails.
    ///
    /// @param text the reason, with the value of the device
    public record Failure(DeviceCheck check, String text) {}

    /// The matrix of a node; empty when there is no such node.
    public static Optional<DeviceMatrix> of(
            String name, ExplainInputs inputs, WhatIfAllocator whatIf, ReportBuilder reports) {
        return inputs.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .map(node -> {
                    var rows = new ArrayList<Row>();
                    for (var alternative : reports.alternatives()) {
                        for (var pool : whatIf.visibleFrom(node)) {
                            for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                                var fit = reports.evaluate(alternative, node, pool, row);
                                rows.add(
                                        new Row(
                                                alternative.claim(),
                                                alternative.name(),
                                                pool.device(row),
                                                failures(fit.occurrences(), inputs)));
                            }
                        }
                    }
                    return new DeviceMatrix(name, rows);
                });
    }

    private static List<Failure> failures(List<Occurrence> occurrences, ExplainInputs inputs) {
        return occurrences.stream()
                .map(one ->
                        new Failure(
                                DeviceCheck.of(one.obstacle(), isUsed(one, inputs)),
                                ExplanationWording.occurrence(one)))
                .sorted((a, b) -> a.check().compareTo(b.check()))
                .toList();
    }

    private static boolean isUsed(Occurrence occurrence, ExplainInputs inputs) {
        return inputs.holders().stream()
                .anyMatch(holder ->
                        occurrence.holders().contains(holder.ref())
                                && !holder.status().reservedFor().isEmpty());
    }
}
