package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.CONDITIONS;
import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintRuleSpec;
import dev.berth.model.api.taint.DeviceTaintSelector;
import dev.berth.model.codec.record.RecordMapping;
import java.util.List;

/// Mappings of DeviceClass and DeviceTaintRule.
public final class AdminMappings {

    private static final RecordMapping<DeviceConfiguration> CONFIGURATION =
            RecordMapping.of(f -> RequestMappings.configuration(f, configuration -> configuration));

    private static final RecordMapping<DeviceClassSpec> CLASS_SPEC =
            RecordMapping.of(f -> {
                var selectors =
                        f.optional(
                                "selectors",
                                list(RequestMappings.SELECTOR),
                                DeviceClassSpec::selectors);
                var config = f.optional("config", list(CONFIGURATION), DeviceClassSpec::config);
                var resource =
                        f.pointer(
                                "extendedResourceName",
                                WORD,
                                DeviceClassSpec::extendedResourceName);
                return in ->
                        new DeviceClassSpec(in.get(selectors), in.get(config), in.get(resource));
            });

    public static final RecordMapping<DeviceClass> CLASS =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "DeviceClass");
                var meta = f.always("metadata", META, DeviceClass::metadata);
                var spec = f.always("spec", CLASS_SPEC, DeviceClass::spec);
                return in -> new DeviceClass(in.get(meta), in.get(spec));
            });

    private static final RecordMapping<DeviceTaintSelector> TAINT_SELECTOR =
            RecordMapping.of(f -> {
                var driver = f.pointer("driver", WORD, DeviceTaintSelector::driver);
                var pool = f.pointer("pool", WORD, DeviceTaintSelector::pool);
                var device = f.pointer("device", WORD, DeviceTaintSelector::device);
                return in -> new DeviceTaintSelector(in.get(driver), in.get(pool), in.get(device));
            });

    private static final RecordMapping<DeviceTaintRuleSpec> RULE_SPEC =
            RecordMapping.of(f -> {
                var selector =
                        f.pointer(
                                "deviceSelector",
                                TAINT_SELECTOR,
                                DeviceTaintRuleSpec::deviceSelector);
                var taint = f.always("taint", DeviceMappings.TAINT, DeviceTaintRuleSpec::taint);
                return in -> new DeviceTaintRuleSpec(in.get(selector), in.get(taint));
            });

    /// A status with conditions only.
    private static final RecordMapping<List<Condition>> RULE_STATUS =
            RecordMapping.of(f -> {
                var conditions = f.optional("conditions", CONDITIONS, (List<Condition> all) -> all);
                return in -> in.get(conditions);
            });

    public static final RecordMapping<DeviceTaintRule> RULE =
            RecordMapping.of(f -> {
                f.fixed("apiVersion", "resource.k8s.io/v1");
                f.fixed("kind", "DeviceTaintRule");
                var meta = f.always("metadata", META, DeviceTaintRule::metadata);
                var spec = f.always("spec", RULE_SPEC, DeviceTaintRule::spec);
                var status = f.always("status", RULE_STATUS, DeviceTaintRule::conditions);
                return in -> new DeviceTaintRule(in.get(meta), in.get(spec), in.get(status));
            });

    private AdminMappings() {}
}
