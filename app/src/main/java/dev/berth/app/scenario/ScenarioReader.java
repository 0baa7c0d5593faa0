package dev.berth.app.scenario;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.quantity.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads scenarios from directories: `expected.yaml` has the steps and expectations and names the
/// manifests beside it. `docs/scenarios.md` describes the fields.
public final class ScenarioReader {

    public static final String EXPECTED = "expected.yaml";

    private static final String STANDARD_PHASE = "Running";

    private final Path file;
    private final CompiledSelectors selectors = new CompiledSelectors();

    private ScenarioReader(Path file) {
        this.file = file;
    }

    /// All scenarios of a directory, by name; directories without `expected.yaml` are skipped.
    ///
    /// @throws InvalidScenarioException for the first invalid scenario
    public static List<Scenario> all(Path directory) throws IOException {
        try (var folders = Files.list(directory)) {
            var scenarios = new ArrayList<Scenario>();
            for (var folder : folders.sorted().toList()) {
                if (Files.exists(folder.resolve(EXPECTED))) {
                    scenarios.add(read(folder));
                }
            }
            return scenarios;
        }
    }

    /// The scenario of a directory.
    ///
    /// @throws InvalidScenarioException if it is invalid
    public static Scenario read(Path folder) throws IOException {
        var file = folder.resolve(EXPECTED);
        return new ScenarioReader(file).scenario(folder, tree(file));
    }

    /// The objects of a file.
    static List<JsonObject> objects(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new InvalidScenarioException(file + ": there is no such file");
        }
        return switch (YamlReader.read(Files.readString(file))) {
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new InvalidScenarioException(
                            "%s:%d:%d: %s".formatted(file, line, column, message));
            case ParseResult.Documents(var documents) -> {
                var objects = new ArrayList<JsonObject>();
                for (var document : documents) {
                    if (!(document.root() instanceof JsonObject object)) {
                        throw new InvalidScenarioException(file + ": an object is needed");
                    }
                    objects.add(object);
                }
                yield objects;
            }
        };
    }

    private static JsonObject tree(Path file) throws IOException {
        var objects = objects(file);
        if (objects.size() != 1) {
            throw new InvalidScenarioException(
                    file + ": one document is needed, not " + objects.size());
        }
        return objects.getFirst();
    }

    private Scenario scenario(Path folder, JsonObject tree) {
        check(tree, Set.of("title", "nodes", "namespaceLabels", "show", "steps"), "");
        return new Scenario(
                String.valueOf(folder.getFileName()),
                folder,
                needed(tree, "title", ""),
                needed(tree, "nodes", ""),
                texts(tree.objectOrEmpty("namespaceLabels")),
                tree.strings("show"),
                tree.objects("steps").stream().map(this::step).toList());
    }

    private ScenarioStep step(JsonObject step) {
        check(step, Set.of("apply", "expect", "taint"), "steps: ");
        if (step.names().size() != 1) {
            throw broken("steps: one thing is needed in a step, not " + step.names());
        }
        if (step.has("apply")) {
            return new ScenarioStep.Apply(needed(step, "apply", "steps: "));
        }
        if (step.has("taint")) {
            return taint(step.objectOrEmpty("taint"));
        }
        return new ScenarioStep.Expect(expectation(step.objectOrEmpty("expect")));
    }

    private ScenarioStep taint(JsonObject taint) {
        check(taint, Set.of("pods", "key", "value", "effect"), "taint: ");
        return new ScenarioStep.Taint(
                needed(taint, "pods", "taint: "),
                needed(taint, "key", "taint: "),
                taint.text("value"),
                needed(taint, "effect", "taint: "));
    }

    private Expectation expectation(JsonObject tree) {
        check(
                tree,
                Set.of(
                        "pods",
                        "count",
                        "phase",
                        "nodes",
                        "devices",
                        "sameValues",
                        "sameNode",
                        "sameDevices",
                        "anew",
                        "message",
                        "event"),
                "expect: ");
        return new Expectation(
                needed(tree, "pods", "expect: "),
                (int) tree.number("count").orElse(1),
                tree.string("phase").orElse(STANDARD_PHASE),
                tree.strings("nodes"),
                tree.objects("devices").stream().map(this::devices).toList(),
                tree.strings("sameValues"),
                new Expectation.Together(
                        tree.flag("sameNode").orElse(false),
                        tree.flag("sameDevices").orElse(false)),
                tree.flag("anew").orElse(false),
                tree.strings("message"),
                tree.object("event").map(this::event));
    }

    private Expectation.ExpectedEvent event(JsonObject event) {
        check(event, Set.of("reason", "message"), "event: ");
        return new Expectation.ExpectedEvent(
                needed(event, "reason", "event: "), event.text("message"));
    }

    private Expectation.Devices devices(JsonObject tree) {
        check(
                tree,
                Set.of("request", "count", "where", "consumes", "config", "condition"),
                "devices: ");
        var where = tree.string("where");
        where.ifPresent(expression ->
                selectors
                        .fault(expression)
                        .ifPresent(fault -> {
                            throw broken("devices: where: " + fault);
                        }));
        return new Expectation.Devices(
                tree.string("request"),
                (int) tree.number("count").orElse(1),
                where,
                quantities(tree.objectOrEmpty("consumes")),
                tree.objectOrEmpty("config"),
                tree.string("condition"));
    }

    private Map<String, Quantity> quantities(JsonObject tree) {
        var quantities = new LinkedHashMap<String, Quantity>();
        texts(tree).forEach((name, text) -> quantities.put(name, quantity(name, text)));
        return quantities;
    }

    private Quantity quantity(String name, String text) {
        return Quantity.tryParse(text)
                .orElseThrow(
                        () -> broken("consumes: %s: \"%s\" is no quantity".formatted(name, text)));
    }

    private static Map<String, String> texts(JsonObject tree) {
        var texts = new LinkedHashMap<String, String>();
        for (var name : tree.names()) {
            texts.put(
                    name,
                    tree.string(name).orElseGet(() -> String.valueOf(tree.number(name).orElse(0))));
        }
        return texts;
    }

    private String needed(JsonObject tree, String field, String where) {
        return Optional.of(tree.text(field))
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> broken("%sfield \"%s\" is needed".formatted(where, field)));
    }

    private void check(JsonObject tree, Set<String> known, String where) {
        for (var name : tree.names()) {
            if (!known.contains(name)) {
                throw broken("%sthere is no field \"%s\"".formatted(where, name));
            }
        }
    }

    private InvalidScenarioException broken(String message) {
        return new InvalidScenarioException(file + ": " + message);
    }
}
