import Testing

/// The tests that use a server, one at a time, because some of them stop it.
@Suite("With a server", .serialized, .timeLimit(.minutes(5)))
struct ServerTests {}
