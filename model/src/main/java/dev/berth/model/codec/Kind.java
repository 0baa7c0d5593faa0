package dev.berth.model.codec;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// An API kind. All kinds are in [Kinds].
///
/// The first of its versions is the internal one; objects of other versions are converted.
public final class Kind<T extends KubernetesObject> {

    private final String group;
    private final String name;
    private final String plural;
    private final boolean namespaced;
    private final boolean hasStatus;
    private final List<String> versions;
    private final RecordMapping<T> shape;
    private final JsonObject head;

    private Kind(Builder<T> from) {
        this.group = from.group;
        this.name = from.name;
        this.plural = from.plural;
        this.namespaced = from.namespaced;
        this.hasStatus = from.hasStatus;
        this.versions = from.versions;
        this.shape = from.shape;
        this.head = ApiVersions.head(apiVersion(), name);
    }

    /// The API group; empty for the core.
    public String group() {
        return group;
    }

    /// The kind's name, such as `ResourceSlice`.
    public String name() {
        return name;
    }

    /// The plural name in URLs, such as `resourceslices`.
    public String plural() {
        return plural;
    }

    public boolean isNamespaced() {
        return namespaced;
    }

    /// True when the kind has a status subresource.
    public boolean hasStatus() {
        return hasStatus;
    }

    /// The versions, preferred ones first.
    public List<String> versions() {
        return versions;
    }

    /// The internal version.
    public String version() {
        return versions.getFirst();
    }

    public String apiVersion() {
        return apiVersion(version());
    }

    public String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// The name of a list of them, such as `ResourceSliceList`.
    public String listName() {
        return name + "List";
    }

    RecordMapping<T> shape() {
        return shape;
    }

    /// The members `apiVersion` and `kind` of a version.
    JsonObject head(String version) {
        return version.equals(version()) ? head : ApiVersions.head(apiVersion(version), name);
    }

    @Override
    public String toString() {
        return apiVersion() + " " + name;
    }

    static <T extends KubernetesObject> Builder<T> of(
            String group, String name, RecordMapping<T> shape) {
        return new Builder<>(group, name, shape);
    }

    static final class Builder<T extends KubernetesObject> {
        private final String group;
        private final String name;
        private final RecordMapping<T> shape;
        private String plural;
        private boolean namespaced;
        private boolean hasStatus;
        private List<String> versions = List.of("v1");

        private Builder(String group, String name, RecordMapping<T> shape) {
            this.group = group;
            this.name = name;
            this.shape = shape;
            this.plural = "";
        }

        Builder<T> plural(String value) {
            plural = value;
            return this;
        }

        Builder<T> namespaced() {
            namespaced = true;
            return this;
        }

        Builder<T> withStatus() {
            hasStatus = true;
            return this;
        }

        Builder<T> versions(String... preferredFirst) {
            versions = List.of(preferredFirst);
            return this;
        }

        Kind<T> build() {
            return new Kind<>(this);
        }
    }
}
