import FluxMiddleware
import TestSupport
import Testing

@Suite("A buffered sink")
struct LogBufferTests {
  /// A sink that blocks on its first line until a test releases it.
  private struct SlowSink {
    let lines = Recorder<String>()
    let isWriting = Gate()
    let mayGoOn = Gate()

    var sink: LogSink {
      LogSink { [lines, isWriting, mayGoOn] line in
        isWriting.open()
        mayGoOn.wait()
        lines.record(line)
      }
    }
  }

  @Test("lines are written in the order in which they came")
  func order() {
    let lines = Recorder<String>()
    let sink = LogSink { lines.record($0) }.buffered(100)
    for number in 0..<100 { sink.write("\(number)") }
    #expect(sink.flush())
    #expect(lines.values == (0..<100).map(String.init))
  }

  @Test("lines are written on a different thread from the one that submits them")
  func thread() {
    let mark = ThreadLocal()
    let marks = Recorder<Bool>()
    let sink = LogSink { _ in marks.record(mark.isMarked) }.buffered()
    onAnotherThread {
      mark.mark()
      sink.write("line")
      sink.flush()
    }
    #expect(marks.values == [false])
  }

  @Test(
    "a blocked sink delays no caller; lines that do not fit are dropped, and their number is reported")
  func dropping() {
    let slow = SlowSink()
    let sink = slow.sink.buffered(3)
    sink.write("0")
    slow.isWriting.wait()
    for number in 1...20 { sink.write("\(number)") }
    #expect(slow.lines.values.isEmpty)
    slow.mayGoOn.open()
    #expect(sink.flush())
    sink.write("21")
    #expect(sink.flush())
    #expect(slow.lines.values == ["0", "1", "2", "3", "… 17 lines dropped", "21"])
  }

  @Test("a single dropped line is reported in the singular")
  func droppingOne() {
    let slow = SlowSink()
    let sink = slow.sink.buffered(1)
    sink.write("0")
    slow.isWriting.wait()
    sink.write("1")
    sink.write("2")
    slow.mayGoOn.open()
    sink.flush()
    #expect(slow.lines.values == ["0", "1", "… 1 line dropped"])
  }

  @Test("a wait ends when its time is up, and returns that lines are still waiting")
  func timeIsUp() {
    let slow = SlowSink()
    let sink = slow.sink.buffered()
    sink.write("0")
    #expect(!sink.flush(waitingAtMost: .zero))
    #expect(!sink.flush(waitingAtMost: .seconds(-1)))
    slow.mayGoOn.open()
    #expect(sink.flush(waitingAtMost: .seconds(Int64.max)))
    #expect(slow.lines.values == ["0"])
  }

  @Test("a sink without lines, or without a buffer, has nothing to wait for")
  func nothingToWaitFor() {
    #expect(LogSink { _ in }.buffered().flush(waitingAtMost: .zero))
    #expect(LogSink { _ in }.flush(waitingAtMost: .zero))
  }

  @Test("the buffer's own thread does not wait for itself")
  func ownThread() {
    let results = Recorder<Bool>()
    let own = Shared<LogSink?>(nil)
    let sink = LogSink { _ in results.record(own.value?.flush() ?? true) }.buffered()
    own.value = sink
    sink.write("line")
    #expect(sink.flush())
    #expect(results.values == [false])
    own.value = nil
  }

  @Test("a sink may write to itself: that line follows the waiting lines")
  func writingToItself() {
    let lines = Recorder<String>()
    let own = Shared<LogSink?>(nil)
    let sink = LogSink { line in
      if line == "1" { own.value?.write("3") }
      lines.record(line)
    }.buffered()
    own.value = sink
    sink.write("1")
    sink.write("2")
    sink.flush()
    sink.flush()
    #expect(Set(lines.values) == ["1", "2", "3"])
    #expect(lines.values.first == "1")
    own.value = nil
  }

  @Test("buffering a buffered sink again returns the same sink, with its capacity")
  func twice() {
    let slow = SlowSink()
    let sink = slow.sink.buffered(1).buffered(100)
    sink.write("0")
    slow.isWriting.wait()
    for number in 1...3 { sink.write("\(number)") }
    slow.mayGoOn.open()
    sink.flush()
    #expect(slow.lines.values == ["0", "1", "… 2 lines dropped"])
  }

  @Test("a capacity below one means no buffer: the line is written immediately", arguments: [0, -1])
  func noCapacity(_ capacity: Int) {
    let lines = Recorder<String>()
    LogSink { lines.record($0) }.buffered(capacity).write("line")
    #expect(lines.values == ["line"])
  }

  @Test("waiting lines are written after the sink is released, and then the sink is deallocated")
  func lettingGo() {
    let tracker = LifetimeTracker()
    let slow = SlowSink()
    let gone = Gate()
    do {
      let tracked = tracker.make { gone.open() }
      let inner = slow.sink
      let sink = LogSink { line in
        tracked.touch()
        inner.write(line)
      }.buffered()
      for number in 0..<3 { sink.write("\(number)") }
    }
    #expect(tracker.alive == 1)
    slow.mayGoOn.open()
    gone.wait()
    #expect(slow.lines.values == ["0", "1", "2"])
    #expect(tracker.alive == 0)
  }

  @Test("several threads write and wait, and each finds its own lines written in its order")
  func threads() {
    let lines = Recorder<String>()
    let missing = Recorder<String>()
    let sink = LogSink { lines.record($0) }.buffered(1_000_000)
    onThreads(4) { thread in
      for number in 0..<200 {
        sink.write("\(thread) \(number)")
        if number % 50 == 0 {
          sink.flush()
          if !lines.values.contains("\(thread) \(number)") { missing.record("\(thread) \(number)") }
        }
      }
    }
    sink.flush()
    #expect(missing.values.isEmpty)
    for thread in 0..<4 {
      #expect(lines.values.filter { $0.hasPrefix("\(thread) ") } == (0..<200).map { "\(thread) \($0)" })
    }
  }
}
