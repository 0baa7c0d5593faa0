package dev.berth.core.cel;

import com.google.common.collect.ImmutableList;
import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.library.CelTypes;
import dev.berth.core.cel.library.Overload;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.parser.CelStandardMacro;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The CEL syntax, macros, types and functions of one environment.
final class CelLanguage {

    private final CelCompiler compiler;
    private final Map<String, Overload> overloads;

    private CelLanguage(CelCompiler compiler, Map<String, Overload> overloads) {
        this.compiler = compiler;
        this.overloads = Map.copyOf(overloads);
    }

    static CelLanguage of(DeviceType device, List<Overload> overloads) {
        return of(
                builder(overloads)
                        .setTypeProvider(device)
                        .addVar(DeviceType.VARIABLE, device.type()),
                overloads);
    }

    /// A language with dynamically typed variables, except for the types given here.
    static CelLanguage of(Map<String, CelType> variables, List<Overload> overloads) {
        var builder = builder(overloads);
        variables.forEach(builder::addVar);
        return of(builder, overloads);
    }

    private static CelLanguage of(CelCompilerBuilder builder, List<Overload> overloads) {
        var byId = new HashMap<String, Overload>();
        overloads.forEach(overload -> byId.put(overload.id(), overload));
        return new CelLanguage(builder.build(), byId);
    }

    private static CelCompilerBuilder builder(List<Overload> overloads) {
        var optionals = CelExtensions.optional(1);
        return CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addMacros(CelStandardMacro.EXISTS_ONE_NEW.getDefinition())
                .addMacros(CelMacros.all())
                .addLibraries(CelExtensions.bindings(), CelExtensions.comprehensions())
                .addFunctionDeclarations(operators(optionals))
                .addVarDeclarations(optionals.variables())
                .addFunctionDeclarations(MORE_CONVERSIONS)
                .addFunctionDeclarations(declarations(overloads))
                .addVar(CelTypes.IP.name(), TypeType.create(CelTypes.IP))
                .addVar(CelTypes.CIDR.name(), TypeType.create(CelTypes.CIDR));
    }

    private static final CelOptions OPTIONS =
            CelOptions.current()
                    .enableOptionalSyntax(true)
                    .enableHeterogeneousNumericComparisons(true)
                    .enableHiddenAccumulatorVar(true)
                    .populateMacroCalls(false)
                    .maxExpressionCodePointSize(100_000)
                    .maxParseRecursionDepth(250)
                    .build();

    /// Conversions between durations and nanoseconds, which Kubernetes has and cel-java's checker
    /// lacks.
    private static final ImmutableList<CelFunctionDecl> MORE_CONVERSIONS =
            ImmutableList.of(
                    CelFunctionDecl.newFunctionDeclaration(
                            "duration",
                            CelOverloadDecl.newGlobalOverload(
                                    "int64_to_duration", SimpleType.DURATION, SimpleType.INT)),
                    CelFunctionDecl.newFunctionDeclaration(
                            "int",
                            CelOverloadDecl.newGlobalOverload(
                                    "duration_to_int64", SimpleType.INT, SimpleType.DURATION)));

    /// Functions of optional values that need the evaluator; the others are in
    /// [OptionalsExtension].
    private static ImmutableList<CelFunctionDecl> operators(CelOptionalLibrary optionals) {
        return optionals.functions().stream()
                .filter(function -> !function.name().equals("optional.unwrap"))
                .collect(ImmutableList.toImmutableList());
    }

    private static ImmutableList<CelFunctionDecl> declarations(List<Overload> overloads) {
        var byFunction = new LinkedHashMap<String, ImmutableList.Builder<CelOverloadDecl>>();
        for (var overload : overloads) {
            byFunction
                    .computeIfAbsent(overload.function(), _ -> ImmutableList.builder())
                    .add(declaration(overload));
        }
        var declarations = ImmutableList.<CelFunctionDecl>builder();
        byFunction.forEach((name, all) ->
                declarations.add(CelFunctionDecl.newFunctionDeclaration(name, all.build())));
        return declarations.build();
    }

    private static CelOverloadDecl declaration(Overload overload) {
        return overload.member()
                ? CelOverloadDecl.newMemberOverload(
                        overload.id(), overload.result(), overload.arguments())
                : CelOverloadDecl.newGlobalOverload(
                        overload.id(), overload.result(), overload.arguments());
    }

    CelValidationResult parse(String text) {
        return compiler.parse(text);
    }

    CelValidationResult check(CelAbstractSyntaxTree parsed) {
        return compiler.check(parsed);
    }

    Optional<CallEstimate> estimate(String overloadId, List<ArgumentEstimate> arguments) {
        return Optional.ofNullable(overloads.get(overloadId))
                .map(overload -> overload.estimate().of(arguments));
    }
}
