package dev.berth.dashboard.http;

/// The content of the data API.
public interface DataApi {

    /// Answers a request; runs on a thread of its own and may block.
    DataBody answer(DataRequest request) throws DashboardError, InterruptedException;

    /// The changes since the start.
    EventLog events();

    /// Ends the work for a session that has ended.
    void ended(String session);
}
