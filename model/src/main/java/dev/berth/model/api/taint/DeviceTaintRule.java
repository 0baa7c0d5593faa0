package dev.berth.model.api.taint;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import java.util.List;

/// A taint that an administrator adds to devices, in addition to those that drivers publish.
public record DeviceTaintRule(
        ObjectMeta metadata, DeviceTaintRuleSpec spec, List<Condition> conditions)
        implements KubernetesObject {

    public DeviceTaintRule {
        conditions = List.copyOf(conditions);
    }
}
