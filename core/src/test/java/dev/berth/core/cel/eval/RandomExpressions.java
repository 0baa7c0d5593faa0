package dev.berth.core.cel.eval;

import java.util.List;
import java.util.Random;

/// Generates random well-typed expressions over numbers, strings, booleans, lists and maps.
final class RandomExpressions {

    private static final int DEPTH = 5;
    private static final List<String> INTS =
            List.of("0", "1", "2", "-1", "7", "9223372036854775807", "-9223372036854775808");
    private static final List<String> STRINGS =
            List.of("''", "'a'", "'b'", "'abc'", "'ab.c'", "'ü𝄞x'", "'7'", "'true'");
    private static final List<String> PATTERNS = List.of("'a+'", "'^b?$'", "'[a-c]{2,}'", "'x|7'");

    private final Random random;
    private int names;

    RandomExpressions(Random random) {
        this.random = random;
    }

    String any() {
        return switch (random.nextInt(5)) {
            case 0 -> integer(DEPTH);
            case 1 -> string(DEPTH);
            case 2 -> list(DEPTH);
            case 3 -> map(DEPTH);
            default -> bool(DEPTH);
        };
    }

    private String bool(int depth) {
        if (depth <= 0) {
            return random.nextBoolean() ? "true" : "false";
        }
        var d = depth - 1;
        return switch (random.nextInt(16)) {
            case 0, 1 -> "(%s && %s)".formatted(bool(d), bool(d));
            case 2, 3 -> "(%s || %s)".formatted(bool(d), bool(d));
            case 4 -> "!%s".formatted(bool(d));
            case 5 -> "(%s %s %s)".formatted(integer(d), comparison(), integer(d));
            case 6 -> "(%s %s %s)".formatted(string(d), comparison(), string(d));
            case 7 -> "(%s == %s)".formatted(list(d), list(d));
            case 8 -> "(%s in %s)".formatted(integer(d), list(d));
            case 9 -> "(%s in %s)".formatted(string(d), map(d));
            case 10 -> "%s.%s(%s)".formatted(string(d), textTest(), string(d));
            case 11 -> "%s.matches(%s)".formatted(string(d), pick(PATTERNS));
            case 12 -> "(%s ? %s : %s)".formatted(bool(d), bool(d), bool(d));
            case 13 -> quantified(d);
            case 14 -> "(%s == %s)".formatted(map(d), map(d));
            default -> "(dyn(%s) == dyn(%s))".formatted(scalar(d), scalar(d));
        };
    }

    private String quantified(int depth) {
        var name = "v" + names++;
        var macro = List.of("all", "exists", "exists_one").get(random.nextInt(3));
        var test = "(%s %s %s)".formatted(name, comparison(), integer(depth - 1));
        return "%s.%s(%s, %s)".formatted(list(depth), macro, name, test);
    }

    private String integer(int depth) {
        if (depth <= 0) {
            return pick(INTS);
        }
        var d = depth - 1;
        return switch (random.nextInt(13)) {
            case 0, 1, 2 -> pick(INTS);
            case 3 -> "(%s + %s)".formatted(integer(d), integer(d));
            case 4 -> "(%s - %s)".formatted(integer(d), integer(d));
            case 5 -> "(%s * %s)".formatted(integer(d), integer(d));
            // `Long.MIN_VALUE % -1` overflows in Kubernetes and is 0 in cel-java.
            case 6 -> "(%s %% %s)".formatted(integer(d), random.nextInt(4));
            case 12 -> "(%s / %s)".formatted(integer(d), integer(d));
            case 7 -> "size(%s)".formatted(random.nextBoolean() ? string(d) : list(d));
            case 8 -> "%s[%s]".formatted(list(d), integer(d));
            case 9 -> "int(%s)".formatted(random.nextBoolean() ? string(d) : integer(d));
            case 10 -> bound(d);
            default -> "(%s ? %s : %s)".formatted(bool(d), integer(d), integer(d));
        };
    }

    private String bound(int depth) {
        var name = "v" + names++;
        return "cel.bind(%s, %s, %s + %s)".formatted(name, integer(depth), name, integer(depth));
    }

    private String string(int depth) {
        if (depth <= 0) {
            return pick(STRINGS);
        }
        var d = depth - 1;
        return switch (random.nextInt(6)) {
            case 0, 1 -> pick(STRINGS);
            case 2 -> "(%s + %s)".formatted(string(d), string(d));
            case 3 -> "string(%s)".formatted(random.nextBoolean() ? integer(d) : bool(d));
            case 4 -> "(%s ? %s : %s)".formatted(bool(d), string(d), string(d));
            default -> "{'a': %s}.?%s.orValue(%s)".formatted(string(d), key(), string(d));
        };
    }

    private String list(int depth) {
        if (depth <= 0) {
            return random.nextBoolean() ? "[1, 2]" : "[0]";
        }
        var d = depth - 1;
        var name = "v" + names++;
        return switch (random.nextInt(6)) {
            case 0, 1 -> "[%s, %s]".formatted(integer(d), integer(d));
            case 2 -> "(%s + %s)".formatted(list(d), list(d));
            case 3 -> "%s.map(%s, %s + %s)".formatted(list(d), name, name, integer(d));
            case 4 -> "%s.filter(%s, %s > %s)".formatted(list(d), name, name, integer(d));
            default -> "(%s ? %s : %s)".formatted(bool(d), list(d), list(d));
        };
    }

    private String map(int depth) {
        var d = depth - 1;
        return depth <= 0
                ? "{'a': 1}"
                : "{%s: %s}".formatted(random.nextBoolean() ? "'a'" : "'b'", integer(d));
    }

    private String scalar(int depth) {
        return switch (random.nextInt(5)) {
            case 0 -> integer(depth);
            case 1 -> string(depth);
            // In cel-java an error inside of dyn() as a condition is a value; in Kubernetes it is
            // an error.
            case 2 -> bool(0);
            case 3 -> "1.5";
            default -> random.nextBoolean() ? "1u" : "1.0";
        };
    }

    private String comparison() {
        return List.of("<", "<=", ">", ">=", "==", "!=").get(random.nextInt(6));
    }

    private String textTest() {
        return List.of("contains", "startsWith", "endsWith").get(random.nextInt(3));
    }

    private String key() {
        return random.nextBoolean() ? "a" : "b";
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
