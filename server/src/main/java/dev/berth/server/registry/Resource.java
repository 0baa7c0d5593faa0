package dev.berth.server.registry;

import dev.berth.model.codec.ApiVersions;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// A served kind: names, versions, verbs, subresources, table columns and rules. Everything that
/// differs between kinds is here.
public final class Resource {

    /// Converts objects between a served version and the internal version.
    public interface Conversion {

        /// All versions have the same fields.
        Conversion SAME_FIELDS =
                new Conversion() {
                    @Override
                    public JsonObject toInternal(String version, JsonObject object) {
                        return object;
                    }

                    @Override
                    public JsonObject fromInternal(String version, JsonObject object) {
                        return object;
                    }
                };

        JsonObject toInternal(String version, JsonObject object);

        JsonObject fromInternal(String version, JsonObject object);
    }

    private static final List<String> ALL_VERBS =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");

    private final String group;
    private final String kind;
    private final String plural;
    private final String collection;
    private final String storedApiVersion;
    private final boolean namespaced;
    private final boolean hasStatus;
    private final boolean deleteReturnsStatus;
    private final boolean updateNeedsRevision;
    private final boolean custom;
    private final List<String> verbs;
    private final List<String> versions;
    private final List<String> shortNames;
    private final List<String> categories;
    private final List<TableColumn> columns;
    private final Map<String, Function<JsonObject, String>> selectable;
    private final List<Subresource> subresources;
    private final Conversion conversion;
    private final DeletionStrategy deletion;
    private final Strategy strategy;
    private final JsonObject typeMeta;
    private final int metadataOffset;

    private Resource(Builder from) {
        this.group = from.group;
        this.kind = from.kind;
        this.plural = from.plural;
        this.namespaced = from.namespaced;
        this.hasStatus = from.hasStatus;
        this.deleteReturnsStatus = from.deleteReturnsStatus;
        this.updateNeedsRevision = from.updateNeedsRevision;
        this.custom = from.custom;
        this.verbs = from.verbs;
        this.versions = from.versions;
        this.shortNames = from.shortNames;
        this.categories = from.categories;
        this.columns = from.columns;
        this.selectable = Map.copyOf(from.selectable);
        this.subresources = from.subresources;
        this.conversion = from.conversion;
        this.deletion = from.deletion;
        this.strategy = from.strategy;
        this.collection =
                from.collection.isEmpty()
                        ? group.isEmpty() ? plural : group + "/" + plural
                        : from.collection;
        this.storedApiVersion =
                from.collection.isEmpty() ? apiVersion(version()) : from.storedApiVersion;
        this.typeMeta = ApiVersions.head(storedApiVersion, kind);
        this.metadataOffset =
                "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{"
                        .formatted(storedApiVersion, kind)
                        .length();
    }

    public static Builder of(String group, String kind, Strategy strategy) {
        return new Builder(group, kind, strategy);
    }

    public String group() {
        return group;
    }

    public String kind() {
        return kind;
    }

    public String listKind() {
        return kind + "List";
    }

    public String plural() {
        return plural;
    }

    public String singular() {
        return kind.toLowerCase(Locale.ROOT);
    }

    public boolean isNamespaced() {
        return namespaced;
    }

    public boolean hasStatus() {
        return hasStatus;
    }

    /// True when a successful delete returns a `Status` and not the object.
    public boolean deleteReturnsStatus() {
        return deleteReturnsStatus;
    }

    /// True when an update without `resourceVersion` is rejected.
    public boolean updateNeedsRevision() {
        return updateNeedsRevision;
    }

    /// True for a kind that is defined by a CustomResourceDefinition.
    public boolean isCustom() {
        return custom;
    }

    /// The verbs of the resource itself, in alphabetical order.
    public List<String> verbs() {
        return verbs;
    }

    /// The served versions, preferred ones first. The first is the internal and the stored version.
    public List<String> versions() {
        return versions;
    }

    public String version() {
        return versions.getFirst();
    }

    public String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    public List<String> shortNames() {
        return shortNames;
    }

    public List<String> categories() {
        return categories;
    }

    /// Additional table columns; empty for the default columns name and age.
    public List<TableColumn> columns() {
        return columns;
    }

    /// The fields supported in field selectors, in addition to `metadata.name` and
    /// `metadata.namespace`.
    public Map<String, Function<JsonObject, String>> selectable() {
        return selectable;
    }

    public List<Subresource> subresources() {
        return subresources;
    }

    public DeletionStrategy deletion() {
        return deletion;
    }

    public Strategy strategy() {
        return strategy;
    }

    /// True when stored objects are JSON of this kind in that version.
    public boolean isStoredAs(String version) {
        return apiVersion(version).equals(storedApiVersion);
    }

    /// The name of the collection in the store.
    public String collection() {
        return collection;
    }

    /// Length of the JSON text of a stored object up to the content of its metadata.
    int metadataOffset() {
        return metadataOffset;
    }

    public Optional<Subresource> subresource(String name) {
        for (var one : subresources) {
            if (one.name().equals(name)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    public ApiError.About about(String name) {
        return new ApiError.About(group, plural, kind, name);
    }

    /// The object in the internal version.
    public JsonObject toInternal(String version, JsonObject object) {
        return withTypeMeta(conversion.toInternal(version, object));
    }

    public JsonObject fromInternal(String version, JsonObject object) {
        var converted = conversion.fromInternal(version, object);
        return isStoredAs(version)
                ? withTypeMeta(converted)
                : withTypeMeta(ApiVersions.head(apiVersion(version), kind), converted);
    }

    /// The object with apiVersion and kind first, then metadata.
    JsonObject withTypeMeta(JsonObject object) {
        return withTypeMeta(typeMeta, object);
    }

    private static JsonObject withTypeMeta(JsonObject typeMeta, JsonObject object) {
        return object.beginningWith(typeMeta.with("metadata", object.objectOrEmpty("metadata")));
    }

    @Override
    public String toString() {
        return collection();
    }

    /// Builder with the defaults of a cluster-scoped kind with version v1.
    public static final class Builder {
        private final String group;
        private final String kind;
        private final Strategy strategy;
        private String plural;
        private boolean namespaced;
        private boolean hasStatus;
        private boolean deleteReturnsStatus;
        private boolean updateNeedsRevision;
        private boolean custom;
        private List<String> verbs = ALL_VERBS;
        private List<String> versions = List.of("v1");
        private List<String> shortNames = List.of();
        private List<String> categories = List.of();
        private List<TableColumn> columns = List.of();
        private Map<String, Function<JsonObject, String>> selectable = Map.of();
        private List<Subresource> subresources = List.of();
        private String collection = "";
        private String storedApiVersion = "";
        private Conversion conversion = Conversion.SAME_FIELDS;
        private DeletionStrategy deletion = DeletionStrategy.IMMEDIATE;

        private Builder(String group, String kind, Strategy strategy) {
            this.group = group;
            this.kind = kind;
            this.strategy = strategy;
            this.plural = kind.toLowerCase(Locale.ROOT) + "s";
        }

        public Builder plural(String value) {
            plural = value;
            return this;
        }

        public Builder namespaced() {
            namespaced = true;
            return this;
        }

        public Builder withStatus() {
            hasStatus = true;
            return this;
        }

        public Builder deleteReturnsStatus() {
            deleteReturnsStatus = true;
            return this;
        }

        public Builder updateNeedsRevision() {
            updateNeedsRevision = true;
            return this;
        }

        public Builder custom() {
            custom = true;
            return this;
        }

        /// The verbs of a resource that does not support all of them.
        public Builder verbs(List<String> some) {
            verbs = List.copyOf(some);
            return this;
        }

        public Builder versions(List<String> preferredFirst) {
            versions = List.copyOf(preferredFirst);
            return this;
        }

        public Builder shortNames(String... values) {
            shortNames = List.of(values);
            return this;
        }

        public Builder categories(String... values) {
            categories = List.of(values);
            return this;
        }

        public Builder columns(List<TableColumn> values) {
            columns = List.copyOf(values);
            return this;
        }

        public Builder selectable(Map<String, Function<JsonObject, String>> values) {
            selectable = values;
            return this;
        }

        public Builder subresources(Subresource... values) {
            subresources = List.of(values);
            return this;
        }

        /// For a kind that shares its objects with another one: their collection in the store, and
        /// the version in which they are stored. The conversion is to and from that version.
        public Builder storedIn(String value, String apiVersion) {
            collection = value;
            storedApiVersion = apiVersion;
            return this;
        }

        public Builder conversion(Conversion value) {
            conversion = value;
            return this;
        }

        public Builder deletion(DeletionStrategy value) {
            deletion = value;
            return this;
        }

        public Resource build() {
            return new Resource(this);
        }
    }
}
