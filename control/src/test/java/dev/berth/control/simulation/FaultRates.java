package dev.berth.control.simulation;

import java.util.List;

/// How often faults occur: one in so many requests, never for 0.
///
/// @param failedWrites writes that fail without being executed
/// @param lostResponses writes that are executed, but whose response is lost
/// @param failedReads reads that fail
/// @param concurrentWrites writes before which another client changes the object
record FaultRates(int failedWrites, int lostResponses, int failedReads, int concurrentWrites) {

    static final FaultRates NONE = new FaultRates(0, 0, 0, 0);

    static FaultRates of(SimulationRandom random) {
        return new FaultRates(
                random.pick(List.of(0, 6, 15, 40)),
                random.pick(List.of(0, 6, 15, 40)),
                random.pick(List.of(0, 4, 10, 40)),
                random.pick(List.of(0, 4, 15, 40)));
    }
}
