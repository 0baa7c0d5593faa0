package dev.berth.model.text;

import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Error messages for users from exceptions, without names of Java classes.
public final class FailureText {

    private FailureText() {}

    /// The message of an exception, or of its cause when it only wraps one.
    public static String of(Throwable failure) {
        return said(failure)
                .or(() -> Optional.ofNullable(failure.getCause()).map(FailureText::of))
                .orElseGet(() -> silent(failure));
    }

    /// The message of the exception itself; the system's message where that of Java is only a path.
    private static Optional<String> said(Throwable failure) {
        return switch (failure) {
            case FileSystemException e -> Optional.of(ofFile(e));
            case FileNotFoundException e -> Optional.ofNullable(e.getMessage());
            case ConnectException e ->
                    Optional.of(e.getMessage() == null ? "connection refused" : e.getMessage());
            case UnknownHostException e ->
                    Optional.ofNullable(e.getMessage()).map(host -> "unknown host " + host);
            case ExecutionException _, CompletionException _, UncheckedIOException _
                    when failure.getCause() != null && isWrapper(failure) ->
                    Optional.empty();
            default ->
                    Optional.ofNullable(failure.getMessage())
                            .filter(text -> !text.isBlank() && !isWrapper(failure));
        };
    }

    /// True when the message is that which Java makes of the cause: its class and its message.
    private static boolean isWrapper(Throwable failure) {
        var cause = failure.getCause();
        return cause != null && cause.toString().equals(failure.getMessage());
    }

    private static String ofFile(FileSystemException e) {
        var files =
                e.getOtherFile() == null ? e.getFile() : e.getFile() + " and " + e.getOtherFile();
        var reason =
                switch (e) {
                    case NoSuchFileException _ -> reason(e, "no such file or directory");
                    case AccessDeniedException _ -> reason(e, "permission denied");
                    case FileAlreadyExistsException _ -> reason(e, "the file exists already");
                    case DirectoryNotEmptyException _ -> reason(e, "the directory is not empty");
                    case NotDirectoryException _ -> reason(e, "this is not a directory");
                    default -> reason(e, "the operation failed");
                };
        return files == null ? reason : files + ": " + reason;
    }

    private static String reason(FileSystemException e, String usual) {
        return e.getReason() == null ? usual : e.getReason();
    }

    private static String silent(Throwable failure) {
        return switch (failure) {
            case ClosedChannelException _ -> "connection closed";
            case TimeoutException _ -> "timed out";
            case InterruptedException _ -> "interrupted";
            case OutOfMemoryError _ -> "out of memory";
            case StackOverflowError _ -> "the input is nested too deeply";
            default -> "internal error";
        };
    }
}
