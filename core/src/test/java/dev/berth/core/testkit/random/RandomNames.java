package dev.berth.core.testkit.random;

import java.util.List;

/// The few names used in random clusters, so that objects refer to each other.
final class RandomNames {

    static final String NODE = "node-1";
    static final String OTHER_NODE = "node-2";
    static final String GPU = "gpu.example.com";
    static final String NIC = "nic.example.com";
    static final List<String> DRIVERS = List.of(GPU, GPU, NIC);
    static final String RACK = "site.example.com/rack";
    static final String DERIVED = "claim.example.com/side";
    static final List<String> CLASSES =
            List.of("gpu", "gpu", "gpu", "any", "any", "any", "nic", "shared");

    private RandomNames() {}
}
