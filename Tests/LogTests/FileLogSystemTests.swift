#if os(Linux)
  import FluxLog
  import FluxMiddleware
  import Foundation
  import TestSupport
  import Testing

  /// Tests in processes of their own, because they change the rights and the limits of a process.
  @Suite("Logs in files, on a system that refuses writes", .unlessItHangs)
  struct FileLogSystemTests {
    /// Creates a folder of a user without rights, and continues as this user.
    ///
    /// The rights of a folder do not restrict the superuser.
    private static func folderOfUserWithoutRights() throws -> URL {
      let folder = TemporaryFolders.newLocation()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      guard geteuid() == 0 else { return folder }
      let nobody: uid_t = 65_534
      try #require(chown(folder.path, nobody, nobody) == 0)
      try #require(seteuid(nobody) == 0)
      return folder
    }

    @Test("in a directory that is not writable, a log is not opened, and loses nothing")
    func readOnly() async {
      await #expect(processExitsWith: .success) {
        let folder = try Self.folderOfUserWithoutRights()
        do {
          let log = try FileLog(in: folder)
          try await log.append("a", "b")
          await log.close()
        }
        try #require(chmod(folder.path, 0o555) == 0)
        let error = #expect(throws: LogError.self) { try FileLog(in: folder) }
        #expect(error?.code == .unwritable)
        #expect(error?.description.contains("Permission denied") == true)
        #expect(error?.description.contains(folder.path) == true)
        try #require(chmod(folder.path, 0o755) == 0)
        let log = try FileLog(in: folder)
        #expect(log.problems.isEmpty)
        #expect(try await log.texts() == ["a", "b"])
        await log.close()
        _ = seteuid(getuid())
      }
    }

    @Test("a log whose directory becomes read-only refuses appends that begin a segment, and loses nothing")
    func becomesReadOnly() async {
      await #expect(processExitsWith: .success) {
        let folder = try Self.folderOfUserWithoutRights()
        let log = try FileLog(in: folder)
        try await log.append("a", "b")
        try #require(chmod(folder.path, 0o555) == 0)
        let snapshot = LogSnapshot(position: LogPosition(2), data: Data("ab"))
        let error = await #expect(throws: LogError.self) { try await log.save(snapshot) }
        #expect(error?.code == .unwritable)
        // The open file is still writable.
        try await log.append("c")
        await log.close()
        try #require(chmod(folder.path, 0o755) == 0)
        let again = try FileLog(in: folder)
        #expect(try await again.texts() == ["a", "b", "c"])
        await again.close()
        _ = seteuid(getuid())
      }
    }

    @Test("an attempt to open a log that is in use closes no file of another thread")
    func descriptors() async {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolders.newLocation()
        let log = try FileLog(in: folder)
        let attempts = Thread { for _ in 0..<3_000 { _ = try? FileLog(in: folder) } }
        attempts.start()
        var closed = 0
        while !attempts.isFinished {
          let descriptor = open("/dev/null", O_RDONLY)
          sched_yield()
          if close(descriptor) < 0 { closed += 1 }
        }
        #expect(closed == 0)
        await log.close()
      }
    }

    @Test("if a file cannot grow, an append throws an error, and the acknowledged entries remain")
    func fileCannotGrow() async {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolders.newLocation()
        let log = try FileLog(in: folder)
        // A limit on the size of files stands in for a full disk.
        signal(SIGXFSZ, SIG_IGN)
        let files = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var usual = rlimit()
        try #require(getrlimit(files, &usual) == 0)
        var limit = rlimit(rlim_cur: 10_000, rlim_max: usual.rlim_max)
        try #require(setrlimit(files, &limit) == 0)
        // A run that measures coverage writes another file when this process exits.
        defer { _ = setrlimit(files, &usual) }
        var acknowledged = 0
        do throws(LogError) {
          while true {
            try await log.append("\(acknowledged) " + String(repeating: "x", count: 300))
            acknowledged += 1
          }
        } catch {
          #expect(error.code == .unwritable)
        }
        #expect((20..<40).contains(acknowledged))
        await log.close()
        let again = try FileLog(in: folder)
        #expect(!again.problems.contains { !$0.isInterruptedWrite })
        let numbers = try await again.texts().compactMap { Int($0.split(separator: " ")[0]) }
        #expect(numbers.starts(with: 0..<acknowledged))
        #expect(numbers.count <= acknowledged + 1)
        await again.close()
      }
    }

    @Test(
      "on a full disk, an append throws an error, and with space again, the log has every acknowledged entry",
      .enabled(if: SmallDisk.isAvailable, "Only the superuser can mount a disk."))
    func fullDisk() async throws {
      let disk = try SmallDisk()
      defer { disk.unmount() }
      let (folder, filler) = (disk.folder.appending(path: "log"), disk.folder.appending(path: "filler"))
      try Data(count: 100_000).write(to: filler)
      let log = try FileLog(in: folder)
      var acknowledged = 0
      do throws(LogError) {
        while acknowledged < 10_000 {
          try await log.append("\(acknowledged) " + String(repeating: "x", count: 300))
          acknowledged += 1
        }
      } catch {
        #expect(error.code == .unwritable)
        #expect(error.description.contains("No space left on device"))
      }
      #expect((50..<1_000).contains(acknowledged))
      await log.close()
      try FileManager.default.removeItem(at: filler)
      let again = try FileLog(in: folder)
      #expect(!again.problems.contains { !$0.isInterruptedWrite })
      let numbers = try await again.texts().compactMap { Int($0.split(separator: " ")[0]) }
      #expect(numbers.starts(with: 0..<acknowledged))
      #expect(numbers.count <= acknowledged + 1)
      try await again.append("more")
      #expect(try await again.texts().last == "more")
      await again.close()
    }
  }

  /// A disk in memory with 200 kB.
  private struct SmallDisk {
    static let isAvailable = (try? SmallDisk())?.unmount() != nil

    let folder = TemporaryFolders.newLocation()

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      do {
        try run("mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder.path)
      } catch {
        try FileManager.default.removeItem(at: folder)
        throw error
      }
    }

    func unmount() {
      try? run("umount", folder.path)
      try? FileManager.default.removeItem(at: folder)
    }

    private func run(_ arguments: String...) throws {
      struct Failure: Error {}
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure() }
    }
  }
#endif
