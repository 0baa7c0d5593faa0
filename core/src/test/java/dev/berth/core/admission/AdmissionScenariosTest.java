package dev.berth.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Runs `scenarios/admission/*.yaml`.
///
/// Each document has a kind, an operation and a valid `base` object. Each of its `cases` has a
/// reason, `set`s fields of the object to other values (`null` removes a field) or `repeat`s a list
/// item (`#` is replaced by its index), and lists the expected `problems` as `Type path: part of
/// the message`. For updates, `old` sets fields of the stored object. `stored` lists fields that
/// the result must have.
class AdmissionScenariosTest {

    private static final Path FOLDER = Path.of("src/test/resources/scenarios/admission");
    private static final String LONG = "LONG:";
    private static final Instant NOW = Instant.parse("2030-05-06T07:08:09.5Z");

    @TestFactory
    Stream<DynamicContainer> everyScenarioHolds() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files
                    .sorted()
                    .map(file ->
                            DynamicContainer.dynamicContainer(
                                    file.getFileName().toString(), cases(file)))
                    .toList()
                    .stream();
        }
    }

    private static List<DynamicTest> cases(Path file) {
        var tests = new ArrayList<DynamicTest>();
        for (var document : documents(file)) {
            for (var scenario : document.objects("cases")) {
                tests.add(
                        DynamicTest.dynamicTest(
                                scenario.text("why"), () -> run(document, scenario)));
            }
        }
        return tests;
    }

    private static List<JsonObject> documents(Path file) {
        try {
            return switch (YamlReader.read(Files.readString(file))) {
                case ParseResult.Documents(var documents) ->
                        documents.stream().map(d -> (JsonObject) d.root()).toList();
                case ParseResult.Malformed(var message, var line, _) ->
                        throw new IllegalStateException(file + ":" + line + ": " + message);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(JsonObject document, JsonObject scenario) {
        var admission = new Admission(gates(scenario.has("gates") ? scenario : document));
        var kind = AdmissionKind.named(document.text("kind")).orElseThrow();
        var old = changed(document.objectOrEmpty("base"), scenario.objectOrEmpty("old"));
        var object = changed(old, scenario.objectOrEmpty("set"));
        object = repeated(object, scenario.objectOrEmpty("repeat"));
        var admitted =
                switch (document.text("operation")) {
                    case "create" -> admission.create(kind, object, NOW);
                    case "update" -> admission.update(kind, old, object, NOW);
                    case "status update" -> admission.updateStatus(kind, old, object, NOW);
                    default -> throw new IllegalStateException(document.text("operation"));
                };
        assertProblems(admitted.problems(), scenario.strings("problems"));
        for (var entry : scenario.objectOrEmpty("stored").members().entrySet()) {
            assertThat(
                            FieldReference.of(entry.getKey())
                                    .in(admitted.object())
                                    .orElse(JsonNull.INSTANCE))
                    .as(entry.getKey())
                    .isEqualTo(entry.getValue());
        }
        assertThat(admitted.warnings()).hasSize(scenario.strings("warnings").size());
    }

    private static FeatureGates gates(JsonObject holder) {
        if (holder.text("gates").equals("all")) {
            return FeatureGates.all();
        }
        return switch (FeatureGates.defaults().with(holder.strings("gates"))) {
            case FeatureGates.Setting.Accepted(var gates) -> gates;
            case FeatureGates.Setting.Refused(var problems) ->
                    throw new IllegalStateException(problems.toString());
        };
    }

    private static JsonObject changed(JsonObject object, JsonObject changes) {
        Json result = object;
        for (var change : changes.members().entrySet()) {
            result = FieldReference.of(change.getKey()).set(result, numbered(change.getValue(), 0));
        }
        return (JsonObject) result;
    }

    private static JsonObject repeated(JsonObject object, JsonObject repetition) {
        if (repetition.isEmpty()) {
            return object;
        }
        var items = new ArrayList<Json>();
        for (var i = 0; i < repetition.number("times").orElseThrow(); i++) {
            items.add(numbered(repetition.member("item").orElseThrow(), i));
        }
        var reference = FieldReference.of(repetition.text("at"));
        return (JsonObject) reference.set(object, collected(items));
    }

    /// Items that are pairs `[name, value]` become a map.
    private static Json collected(List<Json> items) {
        if (!(items.getFirst() instanceof JsonArray)) {
            return new JsonArray(items);
        }
        var map = JsonObject.EMPTY;
        for (var item : items) {
            var pair = ((JsonArray) item).items();
            map = map.with(((JsonString) pair.getFirst()).value(), pair.getLast());
        }
        return map;
    }

    private static Json numbered(Json value, int number) {
        return switch (value) {
            case JsonString(var text) when text.startsWith(LONG) ->
                    Json.of("x".repeat(Integer.parseInt(text.substring(LONG.length()))));
            case JsonString(var text) -> Json.of(text.replace("#", Integer.toString(number)));
            case JsonArray(var items) ->
                    new JsonArray(items.stream().map(item -> numbered(item, number)).toList());
            case JsonObject object -> {
                var result = object;
                for (var member : object.members().entrySet()) {
                    result = result.with(member.getKey(), numbered(member.getValue(), number));
                }
                yield result;
            }
            case JsonNumber _, Json.JsonBool _, JsonNull _ -> value;
        };
    }

    private static void assertProblems(List<FieldError> problems, List<String> expected) {
        var found = new TreeSet<String>();
        problems.forEach(p -> found.add(typeName(p.type()) + " " + p.path()));
        var expectedPaths = new TreeSet<String>();
        expected.forEach(text -> expectedPaths.add(typeAndPath(text)));
        assertThat(found).as("%s", problems).isEqualTo(expectedPaths);
        for (var text : expected) {
            assertThat(problems)
                    .anyMatch(p ->
                            (typeName(p.type()) + " " + p.path()).equals(typeAndPath(text))
                                    && p.message().contains(fragment(text)));
        }
    }

    private static String typeAndPath(String text) {
        var colon = text.indexOf(": ");
        return colon < 0 ? text : text.substring(0, colon);
    }

    private static String fragment(String text) {
        var colon = text.indexOf(": ");
        return colon < 0 ? "" : text.substring(colon + 2);
    }

    private static String typeName(FieldError.Type type) {
        return type.reason().replace("FieldValue", "");
    }
}
