package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import java.util.List;

/// Whether the claims may fit later without anybody changing them.
public sealed interface WaitForecast {

    /// They fit once these claims give back what they hold.
    record Helps(List<ObjectRef> holders) implements WaitForecast {
        public Helps {
            holders = List.copyOf(holders);
        }
    }

    /// They may fit once drivers have published all of these pools.
    record MayHelp(List<PoolId> pools) implements WaitForecast {
        public MayHelp {
            pools = List.copyOf(pools);
        }
    }

    /// They may fit on a node once other pods have come or gone.
    ///
    /// @param reasons all that keeps the pod off the node now
    /// @param devicesToo true when claims must give back devices as well
    record OnceRoomIsThere(String node, List<Rejection> reasons, boolean devicesToo)
            implements WaitForecast {
        public OnceRoomIsThere {
            reasons = List.copyOf(reasons);
        }
    }

    /// They do not fit even if nobody held anything.
    record InVain() implements WaitForecast {}

    /// The search was given up before that was known.
    record Unknown() implements WaitForecast {}
}
