package dev.berth.schema;

import dev.berth.schema.SchemaType.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Fields computed on first use. Two threads may compute them concurrently, with equal results.
public final class LazyFields implements SchemaType.Fields {

    private record Resolved(List<Field> all, Map<String, Field> byName) {}

    private final Supplier<List<Field>> source;
    private final List<FieldUnion> unions;
    private volatile @Nullable Resolved resolved;

    public LazyFields(Supplier<List<Field>> source) {
        this(source, List.of());
    }

    LazyFields(Supplier<List<Field>> source, List<FieldUnion> unions) {
        this.source = source;
        this.unions = List.copyOf(unions);
    }

    @Override
    public List<Field> all() {
        return resolved().all;
    }

    @Override
    public @Nullable Field named(String name) {
        return resolved().byName.get(name);
    }

    @Override
    public List<FieldUnion> unions() {
        return unions;
    }

    private Resolved resolved() {
        var known = resolved;
        if (known == null) {
            var all = List.copyOf(source.get());
            var byName = HashMap.<String, Field>newHashMap(all.size());
            for (var field : all) {
                if (byName.put(field.name(), field) != null) {
                    throw new IllegalArgumentException(
                            "field " + field.name() + " is described twice");
                }
            }
            known = new Resolved(all, byName);
            resolved = known;
        }
        return known;
    }
}
