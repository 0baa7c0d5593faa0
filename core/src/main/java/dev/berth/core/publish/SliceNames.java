package dev.berth.core.publish;

import dev.berth.model.api.slice.PoolId;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The names of a pool's slices: `00000-gpu.example.com-node-1-x7k2m`.
///
/// They are derived from the pool alone, so that a driver that crashes between two writes, or two
/// drivers during an update, never publish a slice twice.
final class SliceNames {

    private static final int MAX_NAME = 253;
    private static final int SUFFIX = 5;
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private SliceNames() {}

    static String name(PoolId pool, int index) {
        var head = "%05x-".formatted(index);
        var base = (pool.driver() + "-" + pool.pool()).toLowerCase(Locale.ROOT).replace('/', '-');
        var room = MAX_NAME - head.length() - 1 - SUFFIX;
        var cut = base.length() <= room ? base : base.substring(0, room);
        return head + withoutTail(cut) + "-" + suffix(pool);
    }

    /// A part of a name may not end in a dot or a dash.
    private static String withoutTail(String text) {
        var end = text.length();
        while (end > 0 && (text.charAt(end - 1) == '.' || text.charAt(end - 1) == '-')) {
            end--;
        }
        return text.substring(0, end);
    }

    /// Driver `a-b` with pool `c` and driver `a` with pool `b-c` must not share names.
    private static String suffix(PoolId pool) {
        var hash = FNV_OFFSET;
        for (var b : pool.toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        var text = new StringBuilder();
        for (var i = 0; i < SUFFIX; i++) {
            text.append(LETTERS.charAt((int) Long.remainderUnsigned(hash, LETTERS.length())));
            hash = Long.divideUnsigned(hash, LETTERS.length());
        }
        return text.toString();
    }
}
