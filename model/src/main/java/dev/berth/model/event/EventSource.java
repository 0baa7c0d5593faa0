package dev.berth.model.event;

/// The reporter of an event.
///
/// @param component such as `deployment-controller`: `source.component` and `reportingComponent`
/// @param host node of a node component, else the instance or empty: `source.host` and
///   `reportingInstance`
/// @param api the API by which the component writes its events
public record EventSource(String component, String host, Api api) {

    /// The two APIs of the same event objects.
    public enum Api {
        /// `core/v1`: repetitions increase `count`.
        CORE,
        /// `events.k8s.io/v1`: repetitions are a `series`.
        SERIES
    }

    /// A controller that reports by `core/v1`.
    public static EventSource controller(String component) {
        return new EventSource(component, "", Api.CORE);
    }

    /// The kubelet of a node, or the component in its place.
    public static EventSource kubelet(String node) {
        return new EventSource("kubelet", node, Api.CORE);
    }

    /// A scheduler, which reports by `events.k8s.io/v1`.
    ///
    /// @param instance not empty
    public static EventSource scheduler(String name, String instance) {
        return new EventSource(name, instance, Api.SERIES);
    }
}
