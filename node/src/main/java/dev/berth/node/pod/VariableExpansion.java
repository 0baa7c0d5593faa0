package dev.berth.node.pod;

import java.util.Map;

/// Expands `$(NAME)` references to environment variables. Unknown variables stay unexpanded, and
/// `$$` is a literal dollar.
public final class VariableExpansion {

    private VariableExpansion() {}

    public static String of(String text, Map<String, String> variables) {
        var result = new StringBuilder();
        var i = 0;
        while (i < text.length()) {
            var next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            var end = text.indexOf(')', i);
            if (text.charAt(i) != '$' || (next != '$' && (next != '(' || end < 0))) {
                result.append(text.charAt(i));
                i++;
            } else if (next == '$') {
                result.append('$');
                i += 2;
            } else {
                var name = text.substring(i + 2, end);
                result.append(variables.getOrDefault(name, "$(" + name + ")"));
                i = end + 1;
            }
        }
        return result.toString();
    }
}
