package dev.berth.core.utilisation;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Utilisation of all devices of a cluster, by device class.
public record ClusterUtilisation(SortedMap<String, ClassUtilisation> classes) {

    public ClusterUtilisation {
        classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
    }

    /// The utilisation of a class; empty when the cluster has no such class.
    public Optional<ClassUtilisation> of(String deviceClass) {
        return Optional.ofNullable(classes.get(deviceClass));
    }
}
