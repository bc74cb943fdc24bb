import FluxLog
import Foundation
import Synchronization

/// A thread that receives the ends of a log from the server, on a separate connection.
///
/// The server announces that there are new entries, and the thread reads the end. It also reads
/// the end after each connection, so no end is lost with a connection. While the server announces
/// nothing, the thread reads the end from time to time, to find out that a connection is lost.
final class EndListener: Sendable {
  private let source: LogSource
  private let log: UUID
  private let ends: LogEnds
  private let rules = Mutex(ConnectionRules(.connecting(failures: 0)))
  private let alarm = Alarm()

  /// Starts the thread, which retains the object until it is stopped.
  init(_ source: LogSource, log: UUID, ends: LogEnds) {
    self.source = source
    self.log = log
    self.ends = ends
    let thread = Thread { [self] in run() }
    thread.name = "FluxPostgres ends"
    thread.start()
  }

  /// Ends the thread, which can take until an attempt to connect has failed.
  func stop() {
    rules.withLock { $0.close() }
    alarm.ring()
  }

  private func run() {
    var session: LogSession?
    var tables: LogTables?
    while true {
      switch rules.withLock({ $0.step }) {
      case .wait(let milliseconds):
        alarm.wait(milliseconds: Int32(milliseconds))
        rules.withLock { $0.waitEnded() }
      case .connect: connect(&session, &tables)
      case .use: if let tables { follow(tables) }
      case .stop, nil: return
      }
    }
  }

  private func connect(_ session: inout LogSession?, _ tables: inout LogTables?) {
    do throws(CallFailure) {
      // The lost connection is closed before the next one is established.
      tables = nil
      let (opened, found, _) = try source.connect(to: log, after: session, known: ends.end)
      (tables, session) = (opened, found)
      try opened.connection.perform("LISTEN \"\(found.channel)\"")
      ends.advance(to: try opened.head().end)
      rules.withLock { $0.attemptEnded(succeeded: true) }
    } catch {
      rules.withLock { rules in
        if case .log = error { rules.close() } else { rules.attemptEnded(succeeded: false) }
      }
      if case .log = error { ends.finish() }
    }
  }

  private func follow(_ tables: LogTables) {
    do throws(CallFailure) {
      let isSilent = !alarm.wait(milliseconds: source.pause, or: tables.connection.socket)
      let isAnnounced = try tables.connection.readNotifications()
      if isSilent || isAnnounced { ends.advance(to: try tables.head().end) }
    } catch {
      rules.withLock { $0.lost() }
    }
  }
}
