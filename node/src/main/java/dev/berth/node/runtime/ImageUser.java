package dev.berth.node.runtime;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/// The user of an image's configuration, without its group.
///
/// Text that is a number is a user ID and never a name, in every place that looks at it: otherwise
/// an image could have `USER 5` and a user of that name with the ID 0.
///
/// @param uid empty for a name
/// @param name empty for a user ID
public record ImageUser(OptionalLong uid, String name) {

    /// The largest ID that Linux has; the one after it means none.
    public static final long MAX_ID = 0xFFFF_FFFEL;

    // As strconv.ParseInt of Go; Java would take the digits of all scripts.
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,18}");

    /// Reads the user.
    ///
    /// @param text `name`, `uid`, either with `:group`; empty for root
    public static ImageUser parse(String text) {
        var colon = text.indexOf(':');
        var user = colon < 0 ? text : text.substring(0, colon);
        if (user.isEmpty()) {
            return new ImageUser(OptionalLong.of(0), "");
        }
        var id = id(user);
        return new ImageUser(id, id.isPresent() ? "" : user);
    }

    /// The number that a user or group is given by; empty for a name.
    public static OptionalLong id(String text) {
        return NUMBER.matcher(text).matches()
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty();
    }

    /// Whether Linux has such an ID.
    public static boolean isValidId(long id) {
        return id >= 0 && id <= MAX_ID;
    }
}
