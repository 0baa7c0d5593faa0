package dev.berth.server.schema;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.cel.SchemaValues;
import dev.berth.core.cel.ValidationRule;
import dev.berth.core.cel.ValidationRuleCompiler;
import dev.berth.core.cel.ValidationRuleCompiler.Result;
import dev.berth.core.cel.ValidationRuleCompiler.ResultType;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Compiles and evaluates the CEL rules of a structural schema: `x-kubernetes-validations`.
///
/// Rules are compiled with the schema, and evaluated only for objects that match it otherwise.
final class ExpressionRules {

    static final String RULES = "x-kubernetes-validations";

    /// Cost budget of all rules of one object.
    private static final long BUDGET = 10_000_000;

    private static final int MAX_MESSAGE = 2048;
    private static final Pattern FIELD_STEP =
            Pattern.compile("\\.([a-zA-Z_][^.\\[\\]]*)|\\['([^']*)'\\]");
    private static final Map<String, FieldError.Type> REASONS =
            Map.of(
                    "", FieldError.Type.INVALID,
                    "FieldValueInvalid", FieldError.Type.INVALID,
                    "FieldValueForbidden", FieldError.Type.FORBIDDEN,
                    "FieldValueRequired", FieldError.Type.REQUIRED,
                    "FieldValueDuplicate", FieldError.Type.DUPLICATE);

    /// Created with the first rule: most servers never have one.
    private static final class Compilers {
        private static final ValidationRuleCompiler PLAIN = ValidationRuleCompiler.withOld();
        private static final ValidationRuleCompiler OPTIONAL =
                ValidationRuleCompiler.withOptionalOld();
    }

    private record RuleKey(String text, boolean optionalOld, ResultType resultType) {}

    private final Map<RuleKey, Result> compiled = new HashMap<>();

    /// Compiles the rules of a schema and of all its parts; returns the errors.
    List<FieldError> prepare(JsonObject schema, FieldPath path) {
        var problems = new ArrayList<FieldError>();
        prepare(schema, path, problems);
        return problems;
    }

    private void prepare(JsonObject schema, FieldPath path, List<FieldError> problems) {
        var rules = schema.objects(RULES);
        for (var i = 0; i < rules.size(); i++) {
            prepareRule(rules.get(i), path.child(RULES).index(i), problems);
        }
        schema.objectOrEmpty("properties")
                .members()
                .forEach((name, property) -> {
                    if (property instanceof JsonObject one) {
                        prepare(one, path.child("properties").key(name), problems);
                    }
                });
        for (var name : List.of("additionalProperties", "items")) {
            schema.object(name).ifPresent(part -> prepare(part, path.child(name), problems));
        }
    }

    private void prepareRule(JsonObject rule, FieldPath path, List<FieldError> problems) {
        if (rule.text("rule").isBlank()) {
            problems.add(FieldError.required(path.child("rule"), "rule is not specified"));
            return;
        }
        if (compile(rule, "rule", ResultType.BOOL) instanceof Result.Rejected(var why)) {
            problems.add(FieldError.invalid(path.child("rule"), rule.text("rule"), why));
        }
        if (rule.has("messageExpression")
                && compile(rule, "messageExpression", ResultType.STRING)
                        instanceof Result.Rejected(var why)) {
            problems.add(
                    FieldError.invalid(
                            path.child("messageExpression"), rule.text("messageExpression"), why));
        }
        var message = rule.text("message");
        if (message.contains("\n") || message.length() > MAX_MESSAGE) {
            problems.add(
                    FieldError.invalid(
                            path.child("message"),
                            message,
                            "must be one line of at most %d bytes".formatted(MAX_MESSAGE)));
        }
        if (!REASONS.containsKey(rule.text("reason"))) {
            problems.add(
                    FieldError.notSupported(
                            path.child("reason"),
                            rule.text("reason"),
                            REASONS.keySet().stream().filter(one -> !one.isEmpty()).toList()));
        }
        if (steps(rule.text("fieldPath")).isEmpty()) {
            problems.add(
                    FieldError.invalid(
                            path.child("fieldPath"),
                            rule.text("fieldPath"),
                            "must be a path of fields, such as .spec.size"));
        }
    }

    private Result compile(JsonObject rule, String member, ResultType resultType) {
        var optional = rule.flag("optionalOldSelf").orElse(false);
        return compiled.computeIfAbsent(
                new RuleKey(rule.text(member).strip(), optional, resultType),
                one ->
                        (one.optionalOld ? Compilers.OPTIONAL : Compilers.PLAIN)
                                .compile(one.text, one.resultType));
    }

    private Optional<ValidationRule> ready(JsonObject rule, String member, ResultType resultType) {
        var optional = rule.flag("optionalOldSelf").orElse(false);
        var text = new RuleKey(rule.text(member).strip(), optional, resultType);
        return compiled.get(text) instanceof Result.Compiled(var found)
                ? Optional.of(found)
                : Optional.empty();
    }

    /// The steps of a path such as `.spec['a-b']`; empty if it is malformed.
    private static Optional<List<String>> steps(String text) {
        var steps = new ArrayList<String>();
        var matcher = FIELD_STEP.matcher(text);
        var at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                return Optional.empty();
            }
            steps.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
            at = matcher.end();
        }
        return Optional.of(steps);
    }

    /// Errors of an object.
    List<FieldError> evaluate(JsonObject schema, JsonObject object, Optional<JsonObject> old) {
        if (compiled.isEmpty()) {
            return List.of();
        }
        var evaluation = new Evaluation();
        evaluation.value(schema, object, old.map(before -> before), FieldPath.ROOT);
        return evaluation.problems;
    }

    /// Evaluation of one object.
    private final class Evaluation {

        private final List<FieldError> problems = new ArrayList<>();
        private long budget = BUDGET;

        private void value(JsonObject schema, Json value, Optional<Json> old, FieldPath path) {
            for (var rule : schema.objects(RULES)) {
                if (budget > 0) {
                    rule(rule, schema, value, old, path);
                }
            }
            switch (value) {
                case JsonObject object -> members(schema, object, old, path);
                case JsonArray(var items) -> items(schema, items, old, path);
                default -> {}
            }
        }

        private void members(
                JsonObject schema, JsonObject object, Optional<Json> old, FieldPath path) {
            var properties = schema.objectOrEmpty("properties").members();
            object.members()
                    .forEach((name, value) -> {
                        var before =
                                old.flatMap(was ->
                                        was instanceof JsonObject one
                                                ? one.member(name)
                                                : Optional.<Json>empty());
                        if (properties.get(name) instanceof JsonObject property) {
                            value(property, value, before, path.child(name));
                        } else {
                            value(CrdSchemas.additional(schema), value, before, path.key(name));
                        }
                    });
        }

        /// Only items of a list of type map have an old value.
        private void items(
                JsonObject schema, List<Json> items, Optional<Json> old, FieldPath path) {
            var item = schema.objectOrEmpty("items");
            var keys =
                    schema.text("x-kubernetes-list-type").equals("map")
                            ? schema.strings("x-kubernetes-list-map-keys")
                            : List.<String>of();
            for (var i = 0; i < items.size(); i++) {
                var one = items.get(i);
                var before =
                        keys.isEmpty() || old.isEmpty()
                                ? Optional.<Json>empty()
                                : counterpart(one, old.get(), keys);
                value(item, one, before, path.index(i));
            }
        }

        private static Optional<Json> counterpart(Json item, Json old, List<String> keys) {
            if (!(old instanceof JsonArray(var items)) || !(item instanceof JsonObject object)) {
                return Optional.empty();
            }
            return items.stream()
                    .filter(one ->
                            one instanceof JsonObject was
                                    && keys.stream()
                                            .allMatch(key ->
                                                    was.member(key).equals(object.member(key))))
                    .findFirst();
        }

        private void rule(
                JsonObject rule, JsonObject schema, Json value, Optional<Json> old, FieldPath at) {
            var ready = ready(rule, "rule", ResultType.BOOL);
            if (ready.isEmpty()) {
                return;
            }
            var optional = rule.flag("optionalOldSelf").orElse(false);
            var isTransitionRule = ready.get().readsOld();
            if (isTransitionRule && !optional && old.isEmpty()) {
                return;
            }
            if (!isTransitionRule
                    && old.filter(was -> SemanticEquality.same(was, value)).isPresent()) {
                // Unchanged values are not validated, since the rule may be newer than the object
                // (ratcheting).
                return;
            }
            var self = celValue(value, schema, at);
            var before = old.map(was -> celValue(was, schema, at));
            var given = optional ? Optional.<Object>of(before) : before;
            var result = ready.get().evaluate(self, given);
            budget -= result.cost();
            switch (result) {
                case ValidationRule.Result.BooleanResult(var holds, _) -> {
                    if (!holds) {
                        problems.add(violation(rule, schema, at, self, given));
                    }
                }
                case ValidationRule.Result.Failed(var why, _) ->
                        problems.add(
                                FieldError.invalid(
                                        at,
                                        schema.text("type"),
                                        "rule evaluation error: %s, evaluating rule: %s"
                                                .formatted(why, rule.text("rule").strip())));
                case ValidationRule.Result.StringResult _ ->
                        problems.add(
                                FieldError.invalid(
                                        at,
                                        schema.text("type"),
                                        "rule gives no boolean: " + rule.text("rule").strip()));
            }
            if (budget <= 0) {
                problems.add(
                        FieldError.forbidden(
                                at,
                                "validation failed due to running out of cost budget, no further"
                                        + " validation rules will be run"));
            }
        }

        private static Object celValue(Json value, JsonObject schema, FieldPath at) {
            var whole = at.equals(FieldPath.ROOT) || CrdSchemas.isEmbedded(schema);
            return whole && value instanceof JsonObject object
                    ? SchemaValues.ofObject(object, schema)
                    : SchemaValues.of(value, schema);
        }

        private FieldError violation(
                JsonObject rule,
                JsonObject schema,
                FieldPath at,
                Object self,
                Optional<Object> old) {
            var path = at;
            for (var step : steps(rule.text("fieldPath")).orElse(List.of())) {
                path = path.child(step);
            }
            var type = REASONS.getOrDefault(rule.text("reason"), FieldError.Type.INVALID);
            return new FieldError(
                    type,
                    path,
                    Optional.of(Json.of(schema.text("type"))),
                    message(rule, self, old));
        }

        private String message(JsonObject rule, Object self, Optional<Object> old) {
            var evaluated =
                    ready(rule, "messageExpression", ResultType.STRING)
                            .filter(one -> !one.readsOld() || old.isPresent())
                            .map(one -> one.evaluate(self, old));
            if (evaluated.isPresent()) {
                budget -= evaluated.get().cost();
                if (evaluated.get() instanceof ValidationRule.Result.StringResult(var text, _)
                        && !text.isBlank()
                        && !text.contains("\n")
                        && text.length() <= MAX_MESSAGE) {
                    return text;
                }
            }
            var message = rule.text("message");
            return message.isEmpty() ? "failed rule: " + rule.text("rule").strip() : message;
        }
    }
}
