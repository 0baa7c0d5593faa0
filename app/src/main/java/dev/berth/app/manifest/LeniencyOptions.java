package dev.berth.app.manifest;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.Leniency;
import java.util.EnumSet;
import picocli.CommandLine.Option;

/// Options of commands that allocate, for leniencies of the allocator.
public final class LeniencyOptions {

    @Option(
            names = "--tolerate-selector-errors",
            description =
                    "Treat a device on which a selector fails as not matching. Kubernetes gives up"
                            + " on the pod.")
    private boolean tolerateSelectorErrors;

    @Option(
            names = "--ignore-unrelated-pools",
            description =
                    "Let requests for all devices ignore incomplete and invalid pools of drivers"
                            + " that their class or selectors rule out. Kubernetes gives up on the"
                            + " pod.")
    private boolean ignoreUnrelatedPools;

    /// An allocator with the chosen leniencies.
    public Allocator allocator() {
        var leniencies = EnumSet.noneOf(Leniency.class);
        if (tolerateSelectorErrors) {
            leniencies.add(Leniency.TOLERATE_SELECTOR_ERRORS);
        }
        if (ignoreUnrelatedPools) {
            leniencies.add(Leniency.IGNORE_UNRELATED_POOLS);
        }
        return new Allocator(Allocator.DEFAULT_BUDGET, leniencies);
    }
}
