package dev.berth.server.http.limit;

import dev.berth.server.access.User;

/// Classes of clients that share the seats of a server, as in API Priority and Fairness. Each level
/// has a guaranteed share of all seats and of all watches; the remaining seats are shared by all
/// levels.
public enum PriorityLevel {
    /// Administrators and health checks: never limited.
    EXEMPT("exempt", 0, 0),
    NODES("nodes", 15, 10),
    CONTROLLERS("system-controllers", 20, 40),
    SERVICE_ACCOUNTS("service-accounts", 10, 10),
    USERS("users", 10, 20),
    /// All anonymous clients count as one user.
    UNAUTHENTICATED("unauthenticated", 2, 2);

    private final String label;
    private final int guaranteedPercent;
    private final int userPercent;

    /// @param guaranteedPercent share of all seats that other levels cannot take
    /// @param userPercent maximum share of all seats that one user of the level can take
    PriorityLevel(String label, int guaranteedPercent, int userPercent) {
        this.label = label;
        this.guaranteedPercent = guaranteedPercent;
        this.userPercent = userPercent;
    }

    public static PriorityLevel of(User user) {
        var groups = user.groups();
        if (groups.contains(User.MASTERS)) {
            return EXEMPT;
        }
        if (groups.contains("system:unauthenticated")) {
            return UNAUTHENTICATED;
        }
        if (groups.contains("system:nodes")) {
            return NODES;
        }
        if (user.name().equals("system:kube-scheduler")
                || user.name().equals("system:kube-controller-manager")
                || groups.contains("system:serviceaccounts:kube-system")) {
            return CONTROLLERS;
        }
        return groups.contains("system:serviceaccounts") ? SERVICE_ACCOUNTS : USERS;
    }

    /// The name of the level in metrics.
    public String label() {
        return label;
    }

    int guaranteed(int seats) {
        return seats * guaranteedPercent / 100;
    }

    int maxPerUser(int seats) {
        return Math.max(1, seats * userPercent / 100);
    }
}
