package dev.berth.core.place;

import java.util.function.Supplier;

/// Measures the execution time of plugins for some pods. The caller of this package provides it,
/// since `core` has no clock.
public interface PluginTimer {

    /// Measures no pod.
    PluginTimer NONE =
            new PluginTimer() {
                @Override
                public boolean isSampling() {
                    return false;
                }

                @Override
                public <T> T measure(String plugin, Supplier<T> execution) {
                    return execution.get();
                }
            };

    /// Whether the pod whose evaluation begins is measured.
    boolean isSampling();

    /// Executes a plugin on one node.
    ///
    /// @param plugin its name in kube-scheduler
    <T> T measure(String plugin, Supplier<T> execution);
}
