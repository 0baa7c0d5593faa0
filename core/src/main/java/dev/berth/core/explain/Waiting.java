package dev.berth.core.explain;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import java.util.List;

/// Whether the claims may fit later without anybody changing them.
public sealed interface Waiting {

    /// They fit once these claims give back what they hold.
    record Helps(List<ObjectRef> holders) implements Waiting {
        public Helps {
            holders = List.copyOf(holders);
        }
    }

    /// They may fit once drivers have published all of these pools.
    record MayHelp(List<PoolId> pools) implements Waiting {
        public MayHelp {
            pools = List.copyOf(pools);
        }
    }

    /// They do not fit even if nobody held anything.
    record InVain() implements Waiting {}

    /// The search was given up before that was known.
    record Unknown() implements Waiting {}
}
