package dev.berth.core.utilisation;

import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.taint.DeviceToleration;
import java.util.List;
import java.util.Optional;

/// The requirements that a device of a class has to meet to be counted as available.
///
/// @param profile partition profile; empty for all devices
record CandidateFilter(
        List<DeviceToleration> tolerations,
        Optional<CapacityRequirements> capacity,
        Optional<String> profile) {

    /// All devices of a class.
    static final CandidateFilter ALL =
            new CandidateFilter(List.of(), Optional.empty(), Optional.empty());

    static CandidateFilter of(DeviceDemand demand) {
        return new CandidateFilter(demand.tolerations(), demand.capacity(), Optional.empty());
    }

    static CandidateFilter ofProfile(String profile) {
        return new CandidateFilter(List.of(), Optional.empty(), Optional.of(profile));
    }
}
