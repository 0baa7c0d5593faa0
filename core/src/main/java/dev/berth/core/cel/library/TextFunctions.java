package dev.berth.core.cel.library;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Implementation of the functions of the strings extension.
final class TextFunctions {

    private TextFunctions() {}

    static Object charAt(Object[] arguments) {
        if (!(arguments[0] instanceof String text) || !(arguments[1] instanceof Long index)) {
            return CelError.noSuchOverload();
        }
        var size = CelValues.sizeOf(text);
        if (index < 0 || index > size) {
            return outOfRange(index);
        }
        return index == size ? "" : codePoints(text, index, index + 1);
    }

    static Object substring(Object[] arguments) {
        if (!(arguments[0] instanceof String text) || !(arguments[1] instanceof Long from)) {
            return CelError.noSuchOverload();
        }
        var size = CelValues.sizeOf(text);
        if (arguments.length == 2) {
            return from < 0 || from > size ? outOfRange(from) : codePoints(text, from, size);
        }
        if (!(arguments[2] instanceof Long to)) {
            return CelError.noSuchOverload();
        }
        if (from > to) {
            return new CelError("invalid substring range. start: %d, end: %d".formatted(from, to));
        }
        if (from < 0 || from > size) {
            return outOfRange(from);
        }
        return to > size ? outOfRange(to) : codePoints(text, from, to);
    }

    private static String codePoints(String text, long from, long to) {
        var start = text.offsetByCodePoints(0, (int) from);
        return text.substring(start, text.offsetByCodePoints(start, (int) (to - from)));
    }

    private static CelError outOfRange(long index) {
        return new CelError("index out of range: " + index);
    }

    static Object indexOf(Object[] arguments) {
        var start = arguments.length > 2 ? arguments[2] : 0L;
        if (!(arguments[0] instanceof String text)
                || !(arguments[1] instanceof String part)
                || !(start instanceof Long from)) {
            return CelError.noSuchOverload();
        }
        if (part.isEmpty()) {
            return from;
        }
        if (from < 0) {
            return outOfRange(from);
        }
        if (from >= CelValues.sizeOf(text)) {
            return -1L;
        }
        return position(text, text.indexOf(part, text.offsetByCodePoints(0, from.intValue())));
    }

    static Object lastIndexOf(Object[] arguments) {
        if (!(arguments[0] instanceof String text) || !(arguments[1] instanceof String part)) {
            return CelError.noSuchOverload();
        }
        var size = CelValues.sizeOf(text);
        if (arguments.length == 2) {
            return part.isEmpty() ? size : position(text, text.lastIndexOf(part));
        }
        if (!(arguments[2] instanceof Long from)) {
            return CelError.noSuchOverload();
        }
        if (part.isEmpty()) {
            return from;
        }
        if (from < 0) {
            return outOfRange(from);
        }
        if (from >= size) {
            return -1L;
        }
        return position(text, text.lastIndexOf(part, text.offsetByCodePoints(0, from.intValue())));
    }

    private static long position(String text, int index) {
        return index < 0 ? -1 : text.codePointCount(0, index);
    }

    /// Converts the case of ASCII letters only.
    static Object ascii(Object[] arguments, char first, char last, int shift) {
        if (!(arguments[0] instanceof String text)) {
            return CelError.noSuchOverload();
        }
        var chars = text.toCharArray();
        for (var i = 0; i < chars.length; i++) {
            if (chars[i] >= first && chars[i] <= last) {
                chars[i] = (char) (chars[i] + shift);
            }
        }
        return new String(chars);
    }

    static Object trim(Object[] arguments) {
        if (!(arguments[0] instanceof String text)) {
            return CelError.noSuchOverload();
        }
        var from = 0;
        var to = text.length();
        // All white space is in the Basic Multilingual Plane.
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /// Unicode's property White_Space, which includes U+0085 and U+00A0, but not U+001C.
    private static boolean isSpace(char c) {
        return switch (c) {
            case '\t', '\n', 0x0b, '\f', '\r', ' ', 0x85, 0xa0 -> true;
            default ->
                    switch (Character.getType(c)) {
                        case Character.SPACE_SEPARATOR,
                                Character.LINE_SEPARATOR,
                                Character.PARAGRAPH_SEPARATOR ->
                                true;
                        default -> false;
                    };
        };
    }

    static Object replace(Object[] arguments) {
        var limit = arguments.length > 3 ? arguments[3] : -1L;
        if (!(arguments[0] instanceof String text)
                || !(arguments[1] instanceof String old)
                || !(arguments[2] instanceof String with)
                || !(limit instanceof Long most)) {
            return CelError.noSuchOverload();
        }
        var count = occurrences(text, old);
        if (most >= 0) {
            count = Math.min(count, most);
        }
        var length = text.length() + count * ((long) with.length() - old.length());
        if (length > ResultLimits.MAX_CHARACTERS) {
            return ResultLimits.tooManyCharacters("replace", length);
        }
        return old.isEmpty() ? surround(text, with, count) : replace(text, old, with, count);
    }

    private static long occurrences(String text, String part) {
        if (part.isEmpty()) {
            return CelValues.sizeOf(text) + 1;
        }
        var count = 0L;
        for (var at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    private static String replace(String text, String old, String with, long count) {
        var result = new StringBuilder();
        var from = 0;
        for (var i = 0L; i < count; i++) {
            var at = text.indexOf(old, from);
            result.append(text, from, at).append(with);
            from = at + old.length();
        }
        return result.append(text, from, text.length()).toString();
    }

    /// The empty string matches before, between and after all characters.
    private static String surround(String text, String with, long count) {
        var result = new StringBuilder();
        var from = 0;
        for (var i = 0L; i < count; i++) {
            result.append(with);
            if (from < text.length()) {
                var next = text.offsetByCodePoints(from, 1);
                result.append(text, from, next);
                from = next;
            }
        }
        return result.append(text, from, text.length()).toString();
    }

    static Object split(Object[] arguments) {
        var limit = arguments.length > 2 ? arguments[2] : -1L;
        if (!(arguments[0] instanceof String text)
                || !(arguments[1] instanceof String separator)
                || !(limit instanceof Long most)) {
            return CelError.noSuchOverload();
        }
        if (most == 0) {
            return List.of();
        }
        var pieces =
                separator.isEmpty() ? CelValues.sizeOf(text) : occurrences(text, separator) + 1;
        if (most > 0) {
            pieces = Math.min(pieces, most);
        }
        if (pieces > ResultLimits.MAX_ELEMENTS) {
            return ResultLimits.tooManyElements("split");
        }
        return split(text, separator, pieces);
    }

    private static Object split(String text, String separator, long pieces) {
        var result = new ArrayList<Object>();
        var from = 0;
        for (var i = 1L; i < pieces; i++) {
            var to =
                    separator.isEmpty()
                            ? text.offsetByCodePoints(from, 1)
                            : text.indexOf(separator, from);
            result.add(text.substring(from, to));
            from = to + separator.length();
        }
        if (pieces > 0) {
            result.add(text.substring(from));
        }
        return Collections.unmodifiableList(result);
    }

    static Object join(Object[] arguments) {
        var between = arguments.length > 1 ? arguments[1] : "";
        if (!(arguments[0] instanceof List<?> list) || !(between instanceof String separator)) {
            return CelError.noSuchOverload();
        }
        var result = new StringBuilder();
        var first = true;
        for (Object element : list) {
            if (!(element instanceof String piece)) {
                return new CelError("join: invalid input: " + CelValues.toText(element));
            }
            result.append(first ? "" : separator).append(piece);
            first = false;
            if (result.length() > ResultLimits.MAX_CHARACTERS) {
                return ResultLimits.tooManyCharacters("join", result.length());
            }
        }
        return result.toString();
    }

    static Object quote(Object[] arguments) {
        if (!(arguments[0] instanceof String text)) {
            return CelError.noSuchOverload();
        }
        var quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> {
                    switch (c) {
                        case 0x07 -> quoted.append("\\a");
                        case '\b' -> quoted.append("\\b");
                        case '\f' -> quoted.append("\\f");
                        case '\n' -> quoted.append("\\n");
                        case '\r' -> quoted.append("\\r");
                        case '\t' -> quoted.append("\\t");
                        case 0x0b -> quoted.append("\\v");
                        case '\\' -> quoted.append("\\\\");
                        case '"' -> quoted.append("\\\"");
                        default -> quoted.appendCodePoint(c);
                    }
                });
        return quoted.append('"').toString();
    }
}
