package dev.berth.core.utilisation;

import dev.berth.model.api.claim.DeviceDemand;

/// A size of request for which the number that still fits is computed.
public sealed interface FitSize {

    /// Short name, unique within a class: `4`, `4/numa`, `1g.10gb`.
    String label();

    /// A number of devices on one node.
    record OnOneNode(int count) implements FitSize {
        @Override
        public String label() {
            return Integer.toString(count);
        }
    }

    /// A number of devices on one NUMA node.
    record OnOneNumaNode(int count) implements FitSize {
        @Override
        public String label() {
            return count + "/numa";
        }
    }

    /// One partition of a profile.
    ///
    /// @param profile value of the attribute that the slice names as its partition type, or of the
    ///   attribute `profile` or `partitionProfile`
    record Partition(String profile) implements FitSize {
        @Override
        public String label() {
            return profile;
        }
    }

    /// A request of pending pods with selectors, tolerations or capacity.
    ///
    /// @param number distinguishes the requests of a class, from 1
    record Requested(int number, DeviceDemand demand) implements FitSize {
        @Override
        public String label() {
            return "request-" + number;
        }
    }
}
