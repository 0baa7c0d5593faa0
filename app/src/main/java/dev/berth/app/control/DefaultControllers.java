package dev.berth.app.control;

import dev.berth.client.RequestResult;
import dev.berth.control.Controller;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The controllers that run by default: all of them with a Berth server, which has no others, and
/// only those that Kubernetes lacks with any other server. Two controllers of one kind would work
/// against each other, so a Berth server identifies itself in its version.
final class DefaultControllers {

    /// Suffix of the version of a Berth server.
    private static final String OURS = "+berth";

    private DefaultControllers() {}

    /// Requests the version until the server responds.
    ///
    /// @param onDelay receives the reason of a delay, once
    static RequestResult answer(
            Supplier<RequestResult> question, Consumer<String> onDelay, Runnable pause) {
        var answer = question.get();
        if (answer instanceof RequestResult.Unavailable) {
            onDelay.accept(answer.message());
        }
        while (answer instanceof RequestResult.Unavailable) {
            pause.run();
            answer = question.get();
        }
        return answer;
    }

    /// The default controllers for a server.
    ///
    /// @param version response of the server to a request for its version
    static Set<Controller> of(RequestResult version) {
        if (!(version instanceof RequestResult.Done(var said))) {
            throw new IllegalStateException(
                    ("cannot find out whether the server is ours or one of Kubernetes, which has"
                                    + " controllers of its own: %s; try again, or say which"
                                    + " controllers to run by --controllers")
                            .formatted(version.message()));
        }
        return said.text("gitVersion").endsWith(OURS)
                ? EnumSet.allOf(Controller.class)
                : Controller.missingInKubernetes();
    }
}
