package dev.berth.node.runtime;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/// The user of an image's configuration, without its group.
///
/// A number is always a user ID and never a name, everywhere: otherwise an image could have `USER
/// 5` and a user of that name with the ID 0.
///
/// @param uid empty for a name
/// @param name empty for a user ID
public record ImageUser(OptionalLong uid, String name) {

    /// The largest ID of Linux; the one after it means none.
    public static final long MAX_ID = 0xFFFF_FFFEL;

    // As strconv.ParseInt of Go; Java would accept the digits of all scripts.
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,18}");

    /// Parses the user.
    ///
    /// @param text `name` or `uid`, either with `:group`; empty for root
    public static ImageUser parse(String text) {
        var colon = text.indexOf(':');
        var user = colon < 0 ? text : text.substring(0, colon);
        if (user.isEmpty()) {
            return new ImageUser(OptionalLong.of(0), "");
        }
        var id = id(user);
        return new ImageUser(id, id.isPresent() ? "" : user);
    }

    /// The numeric ID of a user or group; empty for a name.
    public static OptionalLong id(String text) {
        return NUMBER.matcher(text).matches()
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty();
    }

    /// True if the ID is valid in Linux.
    public static boolean isValidId(long id) {
        return id >= 0 && id <= MAX_ID;
    }
}
