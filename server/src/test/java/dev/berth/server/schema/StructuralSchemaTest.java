package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuralSchemaTest {

    private static JsonObject tree(String text) {
        return SampleObjects.object(text.replace('\'', '"'));
    }

    private static List<String> problems(String property, String value) {
        var schema =
                StructuralSchema.of(tree("{'type':'object','properties':{'x':" + property + "}}"));
        return schema.validate(tree("{'x':" + value + "}")).stream()
                .map(FieldError::toString)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'string'} | 5 |"
                        + " x: Invalid value: \"integer\": x in body must be of type string:"
                        + " \"integer\"",
                "{'type':'integer'} | 'a' |"
                        + " x: Invalid value: \"string\": x in body must be of type integer:"
                        + " \"string\"",
                "{'type':'integer'} | 1.5 |"
                        + " x: Invalid value: \"number\": x in body must be of type integer:"
                        + " \"number\"",
                "{'type':'boolean'} | null |"
                        + " x: Invalid value: \"null\": x in body must be of type boolean:"
                        + " \"null\"",
                "{'x-kubernetes-int-or-string':true} | true |"
                        + " x: Invalid value: \"boolean\": x in body must be of type"
                        + " integer,string: \"boolean\"",
                "{'enum':['a','b']} | 'c' |"
                        + " x: Unsupported value: \"c\": supported values: \"a\", \"b\"",
                "{'pattern':'^a+$'} | 'b' |"
                        + " x: Invalid value: \"b\": x in body should match '^a+$'",
                "{'minLength':2} | 'b' |"
                        + " x: Invalid value: \"b\": x in body should be at least 2 chars long",
                "{'maxLength':2} | 'abc' | x: Too long: may not be more than 2 bytes",
                "{'minimum':1} | 0 |"
                        + " x: Invalid value: 0: x in body should be greater than or equal to 1",
                "{'minimum':1,'exclusiveMinimum':true} | 1 |"
                        + " x: Invalid value: 1: x in body should be greater than 1",
                "{'maximum':1.5} | 2 |"
                        + " x: Invalid value: 2: x in body should be less than or equal to 1.5",
                "{'multipleOf':5} | 7 |"
                        + " x: Invalid value: 7: x in body should be a multiple of 5",
                "{'maxItems':1} | [1,2] | x: Too many: 2: must have at most 1 item",
                "{'minItems':1} | [] |"
                        + " x: Invalid value: 0: x in body should have at least 1 items",
                "{'required':['a']} | {} | x.a: Required value",
                "{'items':{'type':'string'}} | [1] |"
                        + " x[0]: Invalid value: \"integer\": x[0] in body must be of type string:"
                        + " \"integer\"",
                "{'additionalProperties':{'type':'string'}} | {'k':1} |"
                        + " x.k: Invalid value: \"integer\": x.k in body must be of type string:"
                        + " \"integer\"",
                "{'not':{'enum':[1]}} | 1 |"
                        + " <nil>: Invalid value: \"\": \"x\" must not validate the schema (not)",
                "{'oneOf':[{'minimum':1},{'minimum':2}]} | 3 |"
                        + " <nil>: Invalid value: \"\": \"x\" must validate one and only one schema"
                        + " (oneOf). Found 2 valid alternatives",
                "{'type':'string','format':'date-time'} | 'now' |"
                        + " x: Invalid value: \"now\": x in body must be of type date-time:"
                        + " \"now\"",
                "{'x-kubernetes-list-type':'set'} | ['a','a'] | x[1]: Duplicate value: \"a\"",
                "{'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n']} |"
                        + " [{'n':'a'},{'n':'a','b':1}] | x[1]: Duplicate value: {\"n\":\"a\"}"
            })
    void errorsEqualThoseOfKubernetes(String property, String value, String problem) {
        assertThat(problems(property, value)).containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'integer'} | 1.0",
                "{'type':'number'} | 1",
                "{'type':'string','nullable':true} | null",
                "{'x-kubernetes-int-or-string':true} | '5%'",
                "{'anyOf':[{'type':'string'},{'type':'integer'}]} | 5",
                "{'type':'string','format':'ipv6'} | '2001:db8::1'",
                "{'type':'string','format':'cidr'} | '10.0.0.0/8'",
                "{'type':'string','format':'strange'} | 'x'",
                "{'type':'string','maxLength':1} | 'ü'"
            })
    void validValuesPass(String property, String value) {
        assertThat(problems(property, value)).isEmpty();
    }

    @Test
    void theClosestAlternativeIsReported() {
        assertThat(
                        problems(
                                "{'anyOf':[{'type':'string'},"
                                        + "{'type':'object','required':['a','b']}]}",
                                "{'a':1}"))
                .containsExactly(
                        "<nil>: Invalid value: \"\": \"x\" must validate at least one schema"
                                + " (anyOf)",
                        "x.b: Required value");
    }

    @Test
    void undeclaredFieldsArePruned() {
        var schema =
                StructuralSchema.of(
                        tree(
                                """
                                {'type':'object','properties':{
                                  'spec':{'type':'object','properties':{
                                    'a':{'type':'string'},
                                    'free':{'type':'object',
                                    'x-kubernetes-preserve-unknown-fields':true,
                                      'properties':{'in':{'type':'object'}}},
                                    'map':{'type':'object',
                                    'additionalProperties':{'type':'object'}},
                                    'whole':{'type':'object',
                                    'x-kubernetes-embedded-resource':true}}}}}
                                """));
        var unknown = new ArrayList<String>();

        var pruned =
                schema.prune(
                        tree(
                                """
                                {'apiVersion':'v1','kind':'K','metadata':{'name':'n'},'x':1,
                                 'spec':{'a':'b','c':1,'free':{'any':1,'in':{'d':1}},
                                  'map':{'k':{'e':1}},
                                  'whole':{'apiVersion':'v1','kind':'Pod','metadata':{},'spec':{}}}}
                                """),
                        unknown);

        assertThat(pruned)
                .isEqualTo(
                        tree(
                                """
                                {'apiVersion':'v1','kind':'K','metadata':{'name':'n'},
                                 'spec':{'a':'b','free':{'any':1,'in':{}},'map':{'k':{}},
                                  'whole':{'apiVersion':'v1','kind':'Pod','metadata':{}}}}
                                """));
        assertThat(unknown)
                .containsExactly(
                        "unknown field \"x\"",
                        "unknown field \"spec.c\"",
                        "unknown field \"spec.free.in.d\"",
                        "unknown field \"spec.map.k.e\"",
                        "unknown field \"spec.whole.spec\"");
    }

    @Test
    void missingFieldsAreDefaulted() {
        var schema =
                StructuralSchema.of(
                        tree(
                                """
                                {'type':'object','properties':{'spec':{'type':'object','default':{},
                                 'properties':{'size':{'type':'integer','default':3},
                                  'null':{'type':'string','nullable':true,'default':'a'},
                                  'list':{'type':'array','items':{'type':'object',
                                   'properties':{'p':{'type':'string','default':'q'}}}}}}}}
                                """));

        assertThat(schema.withDefaults(JsonObject.EMPTY, 100))
                .contains(tree("{'spec':{'size':3,'null':'a'}}"));
        assertThat(schema.withDefaults(tree("{'spec':{'size':null,'null':null,'list':[{}]}}"), 100))
                .contains(tree("{'spec':{'size':3,'null':null,'list':[{'p':'q'}]}}"));
    }

    @Test
    void defaultingStopsAtTheLimit() {
        var schema =
                StructuralSchema.of(
                        tree(
                                """
                                {'properties':{'list':{'type':'array','items':{'type':'object',
                                 'properties':{'p':{'type':'object','default':{'a':[true,'xy']},
                                  'properties':{'b':{'type':'string','default':'c'}}}}}}}}
                                """));
        var object = tree("{'list':[{},{}]}");

        // Twice "p":{"a":[true,"xy"]}, and "b":"c" in it; a word counts as one byte.
        assertThat(schema.withDefaults(object, 58))
                .contains(
                        tree(
                                "{'list':[{'p':{'a':[true,'xy'],'b':'c'}},"
                                        + "{'p':{'a':[true,'xy'],'b':'c'}}]}"));
        for (var limit = 0; limit < 58; limit++) {
            assertThat(schema.withDefaults(object, limit)).isEmpty();
        }
    }

    @Test
    void invalidPatternsAreErrorsOfTheSchema() {
        var schema = StructuralSchema.of(tree("{'properties':{'x':{'pattern':'('}}}"));

        assertThat(schema.errors()).hasSize(1);
        assertThat(schema.validate(tree("{'x':'a'}"))).isEmpty();
    }

    @Test
    void schemasBecomeTypes() {
        var schema =
                tree(
                        """
                        {'type':'object','properties':{'spec':{'type':'object','required':['ports'],
                         'properties':{
                          'ports':{'type':'array','x-kubernetes-list-type':'map',
                           'x-kubernetes-list-map-keys':['n'],'items':{'type':'object'}},
                          'map':{'type':'object','additionalProperties':{'type':'integer'}},
                          'mixed':{'x-kubernetes-int-or-string':true},
                          'size':{'type':'integer','default':3}}}}}
                        """);

        var shape = new CrdSchemas(Schemas.builtIn()).shape("example.com", "v1", "Thing", schema);

        assertThat(shape.name()).isEqualTo("com.example.v1.Thing");
        assertThat(shape.fields().all())
                .extracting(SchemaType.Field::name)
                .containsExactly("apiVersion", "kind", "metadata", "spec");
        var spec = ((Struct) shape.fields().all().getLast().type()).fields().all();
        assertThat(((ListOf) spec.getFirst().type()).merge())
                .isEqualTo(new Merge.ByKeys(List.of("n")));
        assertThat(spec.getFirst().required()).isTrue();
        assertThat(spec.get(1).type()).isEqualTo(new MapOf(Scalar.INT64, false));
        assertThat(spec.get(2).type()).isEqualTo(Scalar.INT_OR_STRING);
        assertThat(spec.get(3).initial()).contains(Json.of(3));
    }

    @Test
    void randomSchemasAndObjectsDoNotThrow() {
        for (var seed = 0; seed < 2000; seed++) {
            var random = new Random(seed);
            var text = (JsonObject) schema(random, 0);
            var object = JsonObject.of("a", random(random, 0)).with("b", random(random, 0));

            var schema = StructuralSchema.of(text);
            var unknown = new ArrayList<String>();
            var pruned = schema.prune(object, unknown);
            schema.validate(schema.withDefaults(pruned, Long.MAX_VALUE).orElseThrow());
            var again = new ArrayList<String>();

            assertThat(schema.prune(pruned, again)).as("seed %s", seed).isEqualTo(pruned);
            assertThat(again).as("seed %s", seed).isEmpty();
            visit(new CrdSchemas(Schemas.of(List.of(META))).shape("g.io", "v1", "K", text));
        }
    }

    private static final String META =
            "package io.k8s.apimachinery.pkg.apis.meta v1\ntype ObjectMeta\n  name string\n";

    private static void visit(SchemaType type) {
        switch (type) {
            case Struct struct -> struct.fields().all().forEach(field -> visit(field.type()));
            case ListOf list -> visit(list.item());
            case MapOf map -> visit(map.value());
            case Scalar _ -> {}
        }
    }

    private static Json schema(Random random, int depth) {
        if (depth > 4) {
            return random(random, 3);
        }
        var words =
                List.of(
                        "type",
                        "properties",
                        "items",
                        "additionalProperties",
                        "anyOf",
                        "oneOf",
                        "allOf",
                        "not",
                        "enum",
                        "pattern",
                        "minimum",
                        "maxLength",
                        "required",
                        "default",
                        "format",
                        "x-kubernetes-list-type",
                        "x-kubernetes-list-map-keys",
                        "x-kubernetes-preserve-unknown-fields",
                        "x-kubernetes-embedded-resource");
        var members = new LinkedHashMap<String, Json>();
        for (var i = random.nextInt(6); i >= 0; i--) {
            var word = words.get(random.nextInt(words.size()));
            members.put(
                    word,
                    switch (word) {
                        case "properties" ->
                                JsonObject.of("a", schema(random, depth + 1))
                                        .with("b", schema(random, depth + 1));
                        case "items", "additionalProperties", "not" -> schema(random, depth + 1);
                        case "anyOf", "oneOf", "allOf" ->
                                Json.array(schema(random, depth + 1), schema(random, depth + 1));
                        case "type" ->
                                Json.of(
                                        List.of("object", "array", "string", "integer", "odd")
                                                .get(random.nextInt(5)));
                        default -> random(random, 2);
                    });
        }
        return new JsonObject(members);
    }

    private static Json random(Random random, int depth) {
        return switch (random.nextInt(depth > 3 ? 6 : 8)) {
            case 0 -> JsonNull.INSTANCE;
            case 1 -> Json.of(random.nextBoolean());
            case 2 -> Json.of(random.nextInt(5));
            case 3 -> new JsonNumber("1e99999999999");
            case 4 -> Json.of(List.of("a", "map", "set", "((", "date-time").get(random.nextInt(5)));
            case 5 -> JsonArray.EMPTY;
            case 6 -> Json.array(random(random, depth + 1), random(random, depth + 1));
            default ->
                    JsonObject.of("a", random(random, depth + 1))
                            .with("b", random(random, depth + 1));
        };
    }
}
