package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.model.api.meta.QualifiedName;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpressionReadsTest {

    private static final long SEED = 7;
    private static final int DEVICES = 300;
    private static final CelCompiler COMPILER =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private static final List<String> DOMAINS = List.of("d", "e", "f");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> SELECTORS =
            List.of(
                    "true",
                    "device.driver == 'd'",
                    "device.allowMultipleAllocations",
                    "device.attributes['d'].a == 'x'",
                    "device.attributes['d'].a == 'x' || device.capacity['e'].b.isInteger()",
                    "has(device.attributes['d'].a) && device.attributes.d.a == 'x'",
                    "device.attributes['d'].?b.orValue('x') == 'x'",
                    "'a' in device.attributes['e'] && 'c' in device.capacity['f']",
                    "'e' in device.attributes",
                    "cel.bind(d, device.attributes['d'], d.a == d.b || 'c' in d)",
                    "cel.bind(m, device.attributes, m['e'].a == m.f.b)",
                    "cel.bind(x, device.attributes['d'].?a, x.hasValue() && x.value() == 'x')",
                    "device.attributes['e'].exists(n, device.attributes['e'][n] == 'x')",
                    "device.attributes.exists(d, d == 'f')",
                    "device.attributes[device.driver].a == 'x'",
                    "device.attributes['d'][device.attributes['e'].a] == 'x'",
                    "(device.driver == 'd' ? device.attributes['d'] : device.attributes['e']).a"
                            + " == 'x'",
                    "device.attributes['d'].size() > 1 && device.capacity.size() > 1",
                    "[device.attributes['f'].c].exists(v, v == 'x')",
                    "dyn(device).capacity == dyn(device)['capacity'] && device.driver != ''");

    @Test
    void fieldsThatAreNotReadDoNotAffectResult() {
        var random = new Random(SEED);
        for (var selector : SELECTORS) {
            var program = program(selector);
            for (var i = 0; i < DEVICES; i++) {
                var device = device(random);
                var other = changedElsewhere(device, device(random), program.reads());
                assertThat(program.evaluate(other))
                        .as("%s on %s and %s", selector, device, other)
                        .isEqualTo(program.evaluate(device));
            }
        }
    }

    @Test
    void readsAreAsNarrowAsTheExpressionShows() {
        var bind = "cel.bind(d, device.attributes['d'], d.a == d.b)";
        var reads = program(bind + " && 'c' in device.capacity.e").reads();
        assertThat(reads)
                .isEqualTo(
                        new ExpressionReads(
                                false,
                                false,
                                Set.of(name("d", "a"), name("d", "b")),
                                Set.of(),
                                false,
                                Set.of(name("e", "c")),
                                Set.of(),
                                false));
        assertThat(program("'e' in device.attributes").reads().attributeDomains())
                .containsExactly("e");
        assertThat(program("device.attributes.exists(d, d == 'e')").reads().allAttributes())
                .isTrue();
        assertThat(program("device.driver == ''").reads().driver()).isTrue();
    }

    /// The first device in the fields that the expression reads, and the second device in all other
    /// fields.
    private static TestDevice changedElsewhere(
            TestDevice kept, TestDevice other, ExpressionReads reads) {
        var changed =
                TestDevice.of(reads.driver() ? kept.driver() : other.driver())
                        .shared(
                                reads.allowMultipleAllocations()
                                        ? kept.allowMultipleAllocations()
                                        : other.allowMultipleAllocations());
        for (var domain : DOMAINS) {
            for (var id : NAMES) {
                var name = name(domain, id);
                var attribute = (reads.readsAttribute(name) ? kept : other).attributes().get(name);
                changed = attribute == null ? changed : changed.with(name.toString(), attribute);
                var amount = (reads.readsCapacity(name) ? kept : other).capacity().get(name);
                changed =
                        amount == null
                                ? changed
                                : changed.withCapacity(name.toString(), amount.toString());
            }
        }
        return changed;
    }

    private static TestDevice device(Random random) {
        var device = TestDevice.of(pick(random, DOMAINS)).shared(random.nextBoolean());
        for (var domain : DOMAINS) {
            for (var id : NAMES) {
                if (random.nextInt(3) > 0) {
                    device = device.with(domain + "/" + id, pick(random, List.of("x", "a", "b")));
                }
                if (random.nextInt(3) > 0) {
                    var amount = pick(random, List.of("1", "500m", "1Gi"));
                    device = device.withCapacity(domain + "/" + id, amount);
                }
            }
        }
        return device;
    }

    private static QualifiedName name(String domain, String id) {
        return new QualifiedName(domain, id);
    }

    private static String pick(Random random, List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static CelProgram program(String text) {
        var compilation = COMPILER.compileSelector(text);
        assertThat(compilation).as(text).isInstanceOf(Compiled.class);
        return CelProgram.of(((Compiled) compilation).expression());
    }
}
