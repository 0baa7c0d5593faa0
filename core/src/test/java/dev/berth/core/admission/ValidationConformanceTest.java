package dev.berth.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.core.admission.validation.Operation;
import dev.berth.core.admission.validation.Validation;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Compares validation errors with those of Kubernetes' validation functions.
class ValidationConformanceTest {

    @TestFactory
    Stream<DynamicTest> findsTheSameProblems() {
        return RecordedResults.of("validation.jsonl").stream()
                .filter(line -> !isAboutEmptyLists(line))
                .map(line ->
                        DynamicTest.dynamicTest(
                                line.text("name"),
                                () -> assertThat(found(line)).isEqualTo(expected(line))));
    }

    /// The recorded JSON omits empty lists, so errors about them cannot occur here.
    private static boolean isAboutEmptyLists(JsonObject line) {
        return line.objects("errors").stream()
                .anyMatch(error -> error.array("badValue").filter(v -> v.size() == 0).isPresent());
    }

    private static Set<String> found(JsonObject line) {
        var gates =
                FeatureGates.exactly(
                        line.strings("features").stream()
                                .map(name -> Gate.named(name).orElseThrow())
                                .toList());
        var problems =
                new Admission(gates)
                        .validate(
                                AdmissionKind.named(line.text("kind")).orElseThrow(),
                                operation(line.text("operation")),
                                line.object("oldObject"),
                                line.objectOrEmpty("object"));
        var texts = new TreeSet<String>();
        for (var problem : problems) {
            texts.add(
                    "%s %s %s"
                            .formatted(problem.type().reason(), problem.path(), problem.detail()));
        }
        return texts;
    }

    private static Operation operation(String name) {
        return switch (name) {
            case "create" -> Operation.CREATE;
            case "update" -> Operation.UPDATE;
            case "statusUpdate" -> Operation.STATUS_UPDATE;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Set<String> expected(JsonObject line) {
        var texts = new TreeSet<String>();
        for (var error : line.objects("errors")) {
            texts.add(
                    "%s %s %s"
                            .formatted(
                                    error.text("type"), error.text("field"), error.text("detail")));
        }
        return texts;
    }

    @TestFactory
    Stream<DynamicTest> declaresWhatItLeavesToDeclaredRules() {
        return RecordedResults.of("validation.jsonl").stream()
                .filter(line -> line.text("operation").equals("create"))
                .map(line ->
                        DynamicTest.dynamicTest(
                                line.text("name"), () -> assertNothingIsLost(line)));
    }

    /// Errors of a new object must also be reported by the API, with whatever message.
    private static void assertNothingIsLost(JsonObject line) {
        var gates =
                FeatureGates.exactly(
                        line.strings("features").stream()
                                .map(name -> Gate.named(name).orElseThrow())
                                .toList());
        var kind = AdmissionKind.named(line.text("kind")).orElseThrow();
        var object = line.objectOrEmpty("object");
        var validation = new Validation(gates, new CelCompiler(CelEnvironment.NEW, gates.cel()));
        var handwritten = validation.handwritten(kind, Operation.CREATE, Optional.empty(), object);
        var full = validation.full(kind, Operation.CREATE, Optional.empty(), object);
        // An empty mode is always defaulted, and the declarative rules do not require it.
        assertThat(places(full))
                .containsAll(
                        places(
                                handwritten.stream()
                                        .filter(p ->
                                                !p.path().toString().endsWith("allocationMode"))
                                        .toList()));
    }

    private static Set<String> places(List<FieldError> problems) {
        var places = new TreeSet<String>();
        problems.forEach(p -> places.add(p.type() + " " + p.path()));
        return places;
    }
}
