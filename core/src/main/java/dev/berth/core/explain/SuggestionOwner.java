package dev.berth.core.explain;

/// The user who can make a suggested change, in the order in which suggestions are listed.
public enum SuggestionOwner {
    /// The user: the pod, its claims and its templates.
    USER("user"),
    /// Users of other pods and claims.
    OTHERS("others"),
    /// An administrator of the cluster: nodes, taint rules, drivers.
    ADMINISTRATOR("administrator");

    private final String text;

    SuggestionOwner(String text) {
        this.text = text;
    }

    /// The name in JSON.
    public String text() {
        return text;
    }
}
