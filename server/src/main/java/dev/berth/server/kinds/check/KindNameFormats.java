package dev.berth.server.kinds.check;

import java.util.ArrayList;
import java.util.List;

/// Name validation of a few kinds.
public final class KindNameFormats {

    private KindNameFormats() {}

    /// Any name that is a valid path segment.
    public static List<String> pathSegment(String name) {
        var messages = new ArrayList<String>();
        if (name.equals(".") || name.equals("..")) {
            messages.add("may not be '%s'".formatted(name));
        }
        for (var part : List.of("/", "%")) {
            if (name.contains(part)) {
                messages.add("may not contain '%s'".formatted(part));
            }
        }
        return messages;
    }
}
