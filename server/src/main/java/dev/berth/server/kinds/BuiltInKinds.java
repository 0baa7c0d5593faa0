package dev.berth.server.kinds;

import dev.berth.core.admission.Admission;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;
import java.util.List;

/// All built-in resources.
public final class BuiltInKinds {

    private BuiltInKinds() {}

    public static List<Resource> all(KindOptions options) {
        var admission = new Admission(options.gates());
        var all = new ArrayList<Resource>();
        all.addAll(CoreKinds.all(admission, options));
        all.addAll(GroupKinds.all(admission, options));
        all.addAll(StoredOnlyKinds.all());
        all.addAll(DeclaredKinds.all());
        all.addAll(DeviceKinds.all(admission, options.deviceVersions()));
        return List.copyOf(all);
    }
}
