package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// CEL rules in schemas of custom resources.
class ExpressionRulesTest {

    private static JsonObject tree(String text) {
        return SampleObjects.object(text.replace('\'', '"'));
    }

    /// A kind whose spec has these properties and this rule.
    private static StructuralSchema schema(String properties, String rule) {
        return StructuralSchema.of(
                tree(
                        """
                        {'type':'object','properties':{'spec':{'type':'object',
                          'properties':{%s},'x-kubernetes-validations':[{%s}]}}}
                        """
                                .formatted(properties, rule)));
    }

    private static List<String> problems(StructuralSchema schema, String spec) {
        return texts(schema.validate(tree("{'spec':" + spec + "}")));
    }

    private static List<String> problems(StructuralSchema schema, String old, String spec) {
        return texts(
                schema.validate(
                        tree("{'spec':" + spec + "}"), Optional.of(tree("{'spec':" + old + "}"))));
    }

    private static List<String> texts(List<FieldError> problems) {
        return problems.stream().map(FieldError::toString).toList();
    }

    private static final String SIZES =
            "'min':{'type':'integer'},'max':{'type':'integer'},'share':{'type':'number'}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "self.min <= self.max # {'min':1,'max':2} # true",
                "self.min <= self.max # {'min':3,'max':2} # false",
                "!has(self.min) || self.min > 0 # {} # true",
                "!has(self.min) || self.min > 0 # {'min':0} # false",
                "self.share < 0.5 # {'share':0} # true",
                "self.share < 0.5 # {'share':1} # false",
                "self.names.all(n, n.startsWith(\\\"a\\\")) # {'names':['ab','ac']} # true",
                "self.names.all(n, n.startsWith(\\\"a\\\")) # {'names':['ab','b']} # false",
                "self.names.isSorted() # {'names':['b','a']} # false",
                "self.labels.exists(k, self.labels[k] == \\\"x\\\") # {'labels':{'k':'x'}} # true",
                "self.end - self.start < duration(\\\"2h\\\") #"
                        + " {'start':'2026-01-01T00:00:00Z','end':'2026-01-01T01:00:00Z'} # true",
                "self.end - self.start < duration(\\\"30m\\\") #"
                        + " {'start':'2026-01-01T00:00:00Z','end':'2026-01-01T01:00:00Z'} # false",
                "self.a__dash__b == 1 # {'a-b':1} # true",
                "self.__namespace__ == \\\"n\\\" # {'namespace':'n'} # true",
                "quantity(self.memory).isLessThan(quantity(\\\"2Gi\\\")) # {'memory':'1Gi'} # true",
                "self.any == 5 || self.any == \\\"5\\\" # {'any':'5'} # true",
            })
    void rulesAreEvaluatedOnWrites(String rule, String spec, boolean holds) {
        var schema =
                schema(
                        SIZES
                                + ",'names':{'type':'array','items':{'type':'string'}},"
                                + "'labels':{'type':'object',"
                                + "'additionalProperties':{'type':'string'}},"
                                + "'start':{'type':'string','format':'date-time'},"
                                + "'end':{'type':'string','format':'date-time'},"
                                + "'a-b':{'type':'integer'},'namespace':{'type':'string'},"
                                + "'memory':{'type':'string'},"
                                + "'any':{'x-kubernetes-int-or-string':true}",
                        "'rule':'%s','message':'no'".formatted(rule));

        assertThat(texts(schema.ruleErrors())).isEmpty();
        assertThat(problems(schema, spec))
                .isEqualTo(holds ? List.of() : List.of("spec: Invalid value: \"object\": no"));
    }

    @Test
    void messageExpressionIsReported() {
        var plain = schema(SIZES, "'rule':'self.min <= self.max'");
        var withMessage =
                schema(
                        SIZES,
                        "'rule':'self.min <= self.max','message':'not this',"
                                + "'messageExpression':'\\\"min may be \\\" + string(self.max)',"
                                + "'reason':'FieldValueForbidden','fieldPath':'.min'");

        assertThat(problems(plain, "{'min':3,'max':2}"))
                .containsExactly(
                        "spec: Invalid value: \"object\": failed rule: self.min <= self.max");
        assertThat(problems(withMessage, "{'min':3,'max':2}"))
                .containsExactly("spec.min: Forbidden: min may be 2");
    }

    @Test
    void transitionRulesNeedAnOldObject() {
        var schema = schema(SIZES, "'rule':'self.min >= oldSelf.min','message':'shrinks'");

        assertThat(problems(schema, "{'min':1}")).isEmpty();
        assertThat(problems(schema, "{'min':1}", "{'min':2}")).isEmpty();
        assertThat(problems(schema, "{'min':2}", "{'min':1}"))
                .containsExactly("spec: Invalid value: \"object\": shrinks");
    }

    @Test
    void oldSelfMayBeOptional() {
        var schema =
                schema(
                        SIZES,
                        "'rule':'oldSelf.hasValue() || self.min == 1','optionalOldSelf':true,"
                                + "'message':'starts with 1'");

        assertThat(problems(schema, "{'min':1}")).isEmpty();
        assertThat(problems(schema, "{'min':2}")).hasSize(1);
        assertThat(problems(schema, "{'min':1}", "{'min':2}")).isEmpty();
    }

    @Test
    void unchangedValuesAreRatcheted() {
        var schema = schema(SIZES, "'rule':'self.min > 5'");

        assertThat(problems(schema, "{'min':1}", "{'min':1}")).isEmpty();
        assertThat(problems(schema, "{'min':1}", "{'min':2}")).hasSize(1);
    }

    @Test
    void itemsOfMapListsHaveOldValues() {
        var schema =
                schema(
                        "'ports':{'type':'array','x-kubernetes-list-type':'map',"
                                + "'x-kubernetes-list-map-keys':['name'],'items':{'type':'object',"
                                + "'properties':{'name':{'type':'string'},'n':{'type':'integer'}},"
                                + "'x-kubernetes-validations':["
                                + "{'rule':'self.n == oldSelf.n','message':'fixed'}]}}",
                        "'rule':'true'");

        assertThat(
                        problems(
                                schema,
                                "{'ports':[{'name':'a','n':1},{'name':'b','n':2}]}",
                                "{'ports':[{'name':'b','n':2},{'name':'a','n':3},"
                                        + "{'name':'c','n':4}]}"))
                .containsExactly("spec.ports[1]: Invalid value: \"object\": fixed");
    }

    @Test
    void invalidRulesAreErrorsOfTheDefinition() {
        assertThat(texts(schema(SIZES, "'rule':'self.min <'").ruleErrors()).getFirst())
                .startsWith(
                        "properties[spec].x-kubernetes-validations[0].rule: Invalid value:"
                                + " \"self.min <\": compilation failed: ERROR: <input>:1:");
        assertThat(texts(schema(SIZES, "'rule':'size(self.min)'").ruleErrors()).getFirst())
                .endsWith("must evaluate to bool, not int");
        assertThat(texts(schema(SIZES, "'rule':' '").ruleErrors())).hasSize(1);
        assertThat(texts(schema(SIZES, "'rule':'true','reason':'Because'").ruleErrors()).getFirst())
                .contains("reason: Unsupported value: \"Because\"");
        assertThat(texts(schema(SIZES, "'rule':'true','fieldPath':'min'").ruleErrors())).hasSize(1);
    }

    @Test
    void evaluationErrorsAreErrorsOfTheObject() {
        var schema = schema(SIZES, "'rule':'self.min < self.max'");

        assertThat(problems(schema, "{'min':1}"))
                .containsExactly(
                        "spec: Invalid value: \"object\": rule evaluation error: no such key: max,"
                                + " evaluating rule: self.min < self.max");
    }

    @Test
    void rootRulesSeeOnlyNamesOfMetadata() {
        var schema =
                StructuralSchema.of(
                        tree(
                                "{'type':'object','x-kubernetes-validations':[{'rule':"
                                        + "'self.metadata.name.size() < 3"
                                        + " && !has(self.metadata.labels)'}]}"));
        var object = "{'metadata':{'name':'%s','labels':{'a':'b'}}}";

        assertThat(schema.validate(tree(object.formatted("ab")))).isEmpty();
        assertThat(schema.validate(tree(object.formatted("abc")))).hasSize(1);
    }

    @Test
    void rulesStopAtTheCostBudget() {
        var items = "'all':{'type':'array','items':{'type':'integer'}}";
        var rule = "'rule':'self.all.all(a, self.all.all(b, self.all.all(c, a + b + c >= 0)))'";
        var list = "[" + "1,".repeat(300) + "1]";

        assertThat(problems(schema(items, rule), "{'all':" + list + "}").getFirst())
                .contains("cost limit exceeded");
    }
}
