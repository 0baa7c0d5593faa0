package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.PoolId;
import java.util.List;

/// Whether the claims may fit later without changes to them.
public sealed interface WaitForecast {

    /// The claims fit once these holders are deallocated.
    ///
    /// @param hasPriority true when the pod has a priority, which does not preempt devices
    record AfterRelease(List<ObjectRef> holders, boolean hasPriority) implements WaitForecast {
        public AfterRelease {
            holders = List.copyOf(holders);
        }
    }

    /// The claims may fit once drivers have published these pools completely.
    record AfterPublishing(List<PoolId> pools) implements WaitForecast {
        public AfterPublishing {
            pools = List.copyOf(pools);
        }
    }

    /// The claims may fit on a node once other pods start or end.
    ///
    /// @param reasons all current rejections of the node
    /// @param devicesToo true when devices must be released as well
    record AfterPodChanges(String node, List<Rejection> reasons, boolean devicesToo)
            implements WaitForecast {
        public AfterPodChanges {
            reasons = List.copyOf(reasons);
        }
    }

    /// The claims do not fit even if all devices were free.
    record WillNotHelp() implements WaitForecast {}

    /// The search reached its limit before this was decided.
    record Unknown() implements WaitForecast {}
}
