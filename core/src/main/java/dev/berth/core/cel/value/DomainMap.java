package dev.berth.core.cel.value;

import dev.berth.core.cel.DeviceView;
import dev.berth.model.api.meta.QualifiedName;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// `device.attributes` or `device.capacity`: maps by domain.
///
/// Lookup of any domain succeeds, with an empty map for a domain that the device does not have;
/// only `in`, size and iteration distinguish existing domains. Domains and names are sorted, so
/// that evaluation is deterministic.
final class DomainMap<V> extends AbstractMap<Object, Object> {

    private final Map<QualifiedName, V> values;
    private final Function<V, Object> toCel;

    private DomainMap(Map<QualifiedName, V> values, Function<V, Object> toCel) {
        this.values = values;
        this.toCel = toCel;
    }

    static DomainMap<?> attributes(DeviceView device) {
        return new DomainMap<>(device.attributes(), AttributeValues::toCel);
    }

    static DomainMap<?> capacity(DeviceView device) {
        return new DomainMap<>(device.capacity(), amount -> amount);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return key instanceof String domain ? new NameMap(domain) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        for (var name : values.keySet()) {
            if (name.domain().equals(key)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        var domains = new TreeMap<Object, Object>();
        for (var name : values.keySet()) {
            domains.computeIfAbsent(name.domain(), domain -> new NameMap((String) domain));
        }
        return domains.entrySet();
    }

    /// `device.attributes["domain"]`: values by name.
    private final class NameMap extends AbstractMap<Object, Object> {

        private final String domain;

        NameMap(String domain) {
            this.domain = domain;
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            if (!(key instanceof String id)) {
                return null;
            }
            var value = values.get(new QualifiedName(domain, id));
            return value == null ? null : toCel.apply(value);
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return key instanceof String id && values.containsKey(new QualifiedName(domain, id));
        }

        @Override
        public Set<Map.Entry<Object, Object>> entrySet() {
            var named = new TreeMap<Object, Object>();
            values.forEach((name, value) -> {
                if (name.domain().equals(domain)) {
                    named.put(name.id(), toCel.apply(value));
                }
            });
            return named.entrySet();
        }
    }
}
