package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.CollectionTypes.map;
import static dev.berth.model.codec.record.ScalarTypes.BOOL;
import static dev.berth.model.codec.record.ScalarTypes.INT64;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.RAW;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.claim.DerivedAttribute;
import dev.berth.model.api.claim.DeviceClaimConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration.Opaque;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.DeviceConstraint.DistinctAttribute;
import dev.berth.model.api.claim.DeviceConstraint.MatchAttribute;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.claim.DeviceRequest.Exactly;
import dev.berth.model.api.claim.DeviceRequest.FirstAvailable;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.DeviceSelector.Cel;
import dev.berth.model.api.claim.DeviceSubRequest;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TolerationOperator;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.OneOfFields;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.RecordType;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Mappings of claim specs: requests, constraints and configuration.
public final class RequestMappings {

    private static final RecordMapping<Cel> CEL =
            RecordMapping.of(f -> {
                var expression = f.always("expression", WORD, Cel::expression);
                return in -> new Cel(in.get(expression));
            });

    static final RecordMapping<DeviceSelector> SELECTOR =
            RecordMapping.of(f ->
                    OneOfFields.of(f, (DeviceSelector selector) -> selector)
                            .field("cel", CEL, Cel.class, cel -> cel, cel -> cel)
                            .otherwise(
                                    DeviceSelector.Unrecognised.class,
                                    DeviceSelector.Unrecognised::new,
                                    DeviceSelector.Unrecognised::raw));

    static final RecordType<TolerationOperator> OPERATOR =
            WORD.as(TolerationOperator::of, TolerationOperator::text);

    static final RecordMapping<DeviceToleration> TOLERATION =
            RecordMapping.of(f -> {
                var key = f.optional("key", WORD, DeviceToleration::key);
                var operator = f.optional("operator", OPERATOR, DeviceToleration::operator);
                var value = f.optional("value", WORD, DeviceToleration::value);
                var effect =
                        f.unlessEmpty("effect", DeviceMappings.EFFECT, DeviceToleration::effect);
                var seconds =
                        f.number("tolerationSeconds", INT64, DeviceToleration::tolerationSeconds);
                return in ->
                        new DeviceToleration(
                                in.get(key),
                                in.get(operator),
                                in.get(value),
                                in.get(effect),
                                in.get(seconds));
            });

    private static final RecordMapping<CapacityRequirements> CAPACITY =
            RecordMapping.of(f -> {
                var requests =
                        f.optional("requests", map(QUANTITY), CapacityRequirements::requests);
                return in -> new CapacityRequirements(in.get(requests));
            });

    private static final RecordMapping<DerivedAttribute> DERIVED =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, DerivedAttribute::name);
                var expression = f.always("expression", WORD, DerivedAttribute::expression);
                return in -> new DerivedAttribute(in.get(name), in.get(expression));
            });

    /// The fields that exact requests and alternatives have in common.
    private static <P> Function<DecodedFields, DeviceDemand> demand(
            MappingBuilder<P> f, Function<P, DeviceDemand> part) {
        var className =
                f.always("deviceClassName", WORD, part.andThen(DeviceDemand::deviceClassName));
        var selectors =
                f.optional("selectors", list(SELECTOR), part.andThen(DeviceDemand::selectors));
        var mode = f.optional("allocationMode", WORD, part.andThen(demand -> mode(demand.count())));
        var count = f.optional("count", INT64, part.andThen(demand -> number(demand.count())));
        var tolerations =
                f.optional(
                        "tolerations", list(TOLERATION), part.andThen(DeviceDemand::tolerations));
        var capacity = f.pointer("capacity", CAPACITY, part.andThen(DeviceDemand::capacity));
        var derived =
                f.optional(
                        "derivedAttributes",
                        list(DERIVED),
                        part.andThen(DeviceDemand::derivedAttributes));
        return in ->
                new DeviceDemand(
                        in.get(className),
                        in.get(selectors),
                        allocationCount(in.get(mode), in.get(count)),
                        in.get(tolerations),
                        in.get(capacity),
                        in.get(derived));
    }

    private static AllocationCount allocationCount(String mode, long count) {
        if (mode.equals("ExactCount")) {
            return new AllocationCount.ExactCount(count);
        }
        return mode.equals("All") && count == 0
                ? new AllocationCount.All()
                : new AllocationCount.Unrecognised(mode, count);
    }

    private static String mode(AllocationCount count) {
        return switch (count) {
            case AllocationCount.ExactCount _ -> "ExactCount";
            case AllocationCount.All _ -> "All";
            case AllocationCount.Unrecognised(var mode, _) -> mode;
        };
    }

    private static long number(AllocationCount count) {
        return switch (count) {
            case AllocationCount.ExactCount(var exact) -> exact;
            case AllocationCount.All _ -> 0;
            case AllocationCount.Unrecognised(_, var number) -> number;
        };
    }

    private record Exact(DeviceDemand demand, Optional<Boolean> adminAccess) {}

    private static final RecordMapping<Exact> EXACT =
            RecordMapping.of(f -> {
                var demand = demand(f, Exact::demand);
                var admin = f.pointer("adminAccess", BOOL, Exact::adminAccess);
                return in -> new Exact(demand.apply(in), in.get(admin));
            });

    /// The fields of an exact request, which `v1beta1` has at another level.
    public static Set<String> exactFields() {
        return EXACT.names();
    }

    private static final RecordMapping<DeviceSubRequest> ALTERNATIVE =
            RecordMapping.of(f -> {
                var name = f.always("name", WORD, DeviceSubRequest::name);
                var demand = demand(f, DeviceSubRequest::demand);
                return in -> new DeviceSubRequest(in.get(name), demand.apply(in));
            });

    public static final RecordMapping<DeviceRequest> REQUEST =
            RecordMapping.of(RequestMappings::request);

    private static Function<DecodedFields, DeviceRequest> request(MappingBuilder<DeviceRequest> f) {
        var name = f.always("name", WORD, DeviceRequest::name);
        var exactly =
                f.pointer(
                        "exactly",
                        EXACT,
                        r ->
                                r instanceof Exactly(_, var demand, var admin)
                                        ? Optional.of(new Exact(demand, admin))
                                        : Optional.empty());
        var first =
                f.unlessEmpty(
                        "firstAvailable",
                        list(ALTERNATIVE),
                        r ->
                                r instanceof FirstAvailable(_, var alternatives)
                                        ? Optional.of(alternatives)
                                        : Optional.empty());
        f.rest(r -> r instanceof DeviceRequest.Unrecognised(_, var raw) ? raw : JsonObject.EMPTY);
        return in -> {
            var one = in.get(exactly);
            var several = in.get(first);
            if (one.isPresent() == several.isPresent()) {
                return new DeviceRequest.Unrecognised(in.get(name), in.raw(exactly, first));
            }
            return one.<DeviceRequest>map(
                            exact -> new Exactly(in.get(name), exact.demand, exact.adminAccess))
                    .orElseGet(() -> new FirstAvailable(in.get(name), several.orElseThrow()));
        };
    }

    private static final RecordMapping<DeviceConstraint> CONSTRAINT =
            RecordMapping.of(RequestMappings::constraint);

    private static Function<DecodedFields, DeviceConstraint> constraint(
            MappingBuilder<DeviceConstraint> f) {
        var requests = f.optional("requests", WORDS, DeviceConstraint::requests);
        var match =
                f.pointer(
                        "matchAttribute",
                        WORD,
                        c ->
                                c instanceof MatchAttribute(_, var attribute, _)
                                        ? Optional.of(attribute)
                                        : Optional.empty());
        var distinct =
                f.pointer(
                        "distinctAttribute",
                        WORD,
                        c ->
                                switch (c) {
                                    case MatchAttribute(_, _, var ignored) -> ignored;
                                    case DistinctAttribute(_, var name) -> Optional.of(name);
                                    case DeviceConstraint.Unrecognised _ -> Optional.empty();
                                });
        f.rest(c ->
                c instanceof DeviceConstraint.Unrecognised(_, var raw) ? raw : JsonObject.EMPTY);
        return in -> {
            var bound = in.get(requests);
            var same = in.get(match);
            var different = in.get(distinct);
            if (same.isPresent()) {
                return new MatchAttribute(bound, same.get(), different);
            }
            return different.isPresent()
                    ? new DistinctAttribute(bound, different.get())
                    : new DeviceConstraint.Unrecognised(bound, in.raw());
        };
    }

    private static final RecordMapping<Opaque> OPAQUE =
            RecordMapping.of(f -> {
                var driver = f.always("driver", WORD, Opaque::driver);
                var parameters = f.always("parameters", RAW, Opaque::parameters);
                return in -> new Opaque(in.get(driver), in.get(parameters));
            });

    /// The parameters, which are inline fields of a configuration.
    static <P> Function<DecodedFields, DeviceConfiguration> configuration(
            MappingBuilder<P> f, Function<P, DeviceConfiguration> part) {
        return OneOfFields.of(f, part)
                .field("opaque", OPAQUE, Opaque.class, opaque -> opaque, opaque -> opaque)
                .otherwise(
                        DeviceConfiguration.Unrecognised.class,
                        DeviceConfiguration.Unrecognised::new,
                        DeviceConfiguration.Unrecognised::raw);
    }

    private static final RecordMapping<DeviceClaimConfiguration> CONFIGURATION =
            RecordMapping.of(f -> {
                var requests = f.optional("requests", WORDS, DeviceClaimConfiguration::requests);
                var content = configuration(f, DeviceClaimConfiguration::configuration);
                return in -> new DeviceClaimConfiguration(in.get(requests), content.apply(in));
            });

    public static final RecordMapping<ResourceClaimSpec> DEVICES =
            RecordMapping.of(f -> {
                var requests = f.optional("requests", list(REQUEST), ResourceClaimSpec::requests);
                var constraints =
                        f.optional("constraints", list(CONSTRAINT), ResourceClaimSpec::constraints);
                var config = f.optional("config", list(CONFIGURATION), ResourceClaimSpec::config);
                return in ->
                        new ResourceClaimSpec(
                                in.get(requests), in.get(constraints), in.get(config));
            });

    /// The records omit the level `devices`, the only field of the spec.
    public static final RecordMapping<ResourceClaimSpec> SPEC =
            RecordMapping.of(f -> {
                var devices = f.always("devices", DEVICES, spec -> spec);
                return in -> in.get(devices);
            });

    private RequestMappings() {}
}
